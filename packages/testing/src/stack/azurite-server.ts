import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './free-port.ts'
import { startServer } from './server-process.ts'

/** A blob server on loopback with one account. Its data is kept in memory. */
export interface BlobServer extends AsyncDisposable {
  readonly port: number
  /** In the form of `BLOBSTORE_ENDPOINT`. */
  readonly endpoint: string
  readonly account: string
  readonly accessKey: string
  /** Empty at first. */
  readonly container: string
}

const require = createRequire(import.meta.url)
const program = require.resolve('azurite/dist/src/blob/main.js')

/** Starts Azurite, the Azure Storage emulator; disposing stops it. */
export async function startBlobServer(): Promise<BlobServer> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lathe-blobs-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const account = `test${randomBytes(6).toString('hex')}`
  const accessKey = randomBytes(64).toString('base64')
  const settings = ['--inMemoryPersistence', '--skipApiVersionCheck', '--disableProductStyleUrl']
  // Otherwise it sends telemetry.
  const quiet = ['--silent', '--disableTelemetry']
  const server = await startServer({
    name: 'blobs',
    command: [process.execPath, program, '--blobHost', '127.0.0.1', '--blobPort', `${port}`, ...settings, ...quiet],
    env: { PATH: process.env.PATH ?? '', HOME: folder, AZURITE_ACCOUNTS: `${account}:${accessKey}` },
    logFile: join(folder, 'log'),
    isReady: (written) => written.includes('successfully listening') || answers(port),
  })
  parts.defer(async () => void (await server.stop()))
  const endpoint = `http://127.0.0.1:${port}/{account}`
  const container = 'files'
  await createContainer(`http://127.0.0.1:${port}/${account}/${container}`, account, accessKey)
  const all = parts.move()
  return { port, endpoint, account, accessKey, container, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function createContainer(url: string, account: string, accessKey: string): Promise<void> {
  // Loaded only here: the client is large, and most tests that use this package start no blob server.
  const { ContainerClient, StorageSharedKeyCredential } = await import('@azure/storage-blob')
  await new ContainerClient(url, new StorageSharedKeyCredential(account, accessKey)).create()
}

async function answers(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
  await answer?.text().catch(() => '')
  return answer !== undefined
}
