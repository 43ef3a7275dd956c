import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { read } from '../containers/podman.ts'

export interface Visit {
  /** The container whose network is entered: only there is the proxy on loopback under its own name. */
  readonly container: string
  readonly key: string
  /** The folder for the proxy's root certificate. */
  readonly folder: string
}

export interface Visited {
  readonly link: string
  readonly bytes: number
}

const visitor = new URL('visitor.ts', import.meta.url).pathname
const monitorProgram = new URL('monitor.ts', import.meta.url).pathname

/** Converts a photo and a letter through the proxy, over TLS, and downloads the photo. */
export async function convertOnce(visit: Visit): Promise<Visited> {
  return JSON.parse(enter(visit, ['convert', visit.key])) as Visited
}

/** Downloads an earlier result. */
export async function readBack(visit: Visit, { link }: Visited): Promise<Visited> {
  return JSON.parse(enter(visit, ['download', link])) as Visited
}

export interface Monitored {
  /** The jobs that Prometheus scrapes. */
  readonly up: readonly string[]
  readonly alerts: number
}

/** Returns what the Prometheus in a container reports. */
export function monitor(container: string): Monitored {
  return JSON.parse(read([...enterNetwork(container), process.execPath, monitorProgram])) as Monitored
}

function enter({ container, folder }: Visit, words: readonly string[]): string {
  const certificate = join(folder, 'root.crt')
  writeFileSync(certificate, read(['podman', 'exec', container, 'cat', '/data/caddy/pki/authorities/local/root.crt']))
  const trusting = ['env', `NODE_EXTRA_CA_CERTS=${certificate}`]
  return read([...enterNetwork(container), ...trusting, process.execPath, visitor, ...words])
}

function enterNetwork(container: string): readonly string[] {
  const pid = read(['podman', 'inspect', '--format', '{{.State.Pid}}', container]).trim()
  return ['nsenter', `--net=/proc/${pid}/ns/net`]
}
