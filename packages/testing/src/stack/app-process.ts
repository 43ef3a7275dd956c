import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { containerProcess, containersOf } from './container-process.ts'
import { findFreePort } from './free-port.ts'
import { runToEnd, type ServerProcess, startServer } from './server-process.ts'

export type AppName = 'api' | 'worker' | 'scheduler'

/** One process of the service. */
export interface AppProcess extends ServerProcess {
  readonly app: AppName
  /** Its base URL: the root of an api; for the others the base of `/healthz` and `/metrics`. */
  readonly url: string
  readonly metricsUrl: string
  /** The sum of a counter or gauge over the given labels, as reported by /metrics. */
  metric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>
}

export interface AppOptions {
  readonly app: AppName
  readonly name: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Seconds by which the process's clock is ahead of the real one. */
  readonly clockOffset?: number
  /** The source folder of another release, which runs from its sources; this checkout, bundled, by default. */
  readonly checkout?: string
}

const compileCache = join(tmpdir(), 'lathe-stack-compile-cache')
const buildScript = new URL('../../../../scripts/build.ts', import.meta.url).pathname

let bundles: Promise<string> | undefined

/** The folder of the bundled apps. Sources take more than twice the processor time to load, at every start. */
function bundledApps(): Promise<string> {
  bundles ??= runToEnd([process.execPath, buildScript]).then((said) => said.trim().split('\n').at(-1) ?? '')
  return bundles
}

async function programOf({ app, checkout }: AppOptions): Promise<string> {
  return checkout ? join(checkout, 'apps', app, 'src/main.ts') : join(await bundledApps(), `${app}.js`)
}

// By default, images listen on all addresses and keep files in a volume.
const imageEnv = { HTTP_HOST: '127.0.0.1', METRICS_HOST: '127.0.0.1' }

/** Starts one process of the service, bundled or from its image, on a free port. */
export async function startApp(options: AppOptions): Promise<AppProcess> {
  const { app, name, folder, env, clockOffset = 0 } = options
  const port = await findFreePort()
  const metricsPort = app === 'api' ? await findFreePort() : port
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const withTls = env.TLS_CERT_FILE !== undefined
  const url = `${withTls ? 'https' : 'http'}://127.0.0.1:${port}`
  const place = {
    METRICS_PORT: `${metricsPort}`,
    ...(app === 'api' && { HTTP_PORT: `${port}`, LATHE_PUBLIC_URL: url }),
  }
  const containers = containersOf(process.env)
  const server = await startServer({
    name,
    ...(containers
      ? containerProcess(containers, { app, name, folder, env: { ...imageEnv, ...place, ...env } })
      : {
          command: [process.execPath, await programOf(options)],
          env: processEnv(clockOffset, { ...place, ...env }),
        }),
    logFile: join(folder, `${name}.log`),
    isReady: (written) => {
      if (app !== 'api') return written.includes(`${app} is ready`)
      // Only the test trusts the TLS certificate.
      // With a wrong clock it never becomes ready, only alive.
      return withTls || clockOffset !== 0 ? written.includes('Server listening') : isAllReady(`${url}/readyz`)
    },
  })
  const extra = {
    app,
    url,
    metricsUrl,
    metric: (metricName: string, labels = {}) => readMetric(metricsUrl, metricName, labels),
  }
  return Object.defineProperties(server as AppProcess, Object.getOwnPropertyDescriptors(extra))
}

function processEnv(clockOffset: number, env: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compileCache, ...fakeTime(clockOffset), ...env }
}

async function isAllReady(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
  const body = await response?.text().catch(() => '')
  // At first Redis may not be connected yet: the status is then degraded.
  return response?.status === 200 && body?.includes('"ready"') === true
}

/** Moves the wall clock only: timers keep their pace. */
function fakeTime(offset: number): Record<string, string> {
  if (offset === 0) return {}
  const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`
  if (!existsSync(library)) throw new Error('libfaketime is not installed; run: npm run setup')
  const sign = offset < 0 ? '-' : '+'
  return { LD_PRELOAD: library, FAKETIME: `${sign}${Math.abs(offset)}s`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

async function readMetric(url: string, name: string, labels: Readonly<Record<string, string>>): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) })
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  const lines = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  const matching = lines.filter((line) => wanted.every((label) => line.includes(label)))
  return matching.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
