import { chmod, mkdir } from 'node:fs/promises'
import { findFreePort } from './free-port.ts'
import { runToEnd } from './server-process.ts'

/** A separate S3 gateway, for tests that stop it. */
export interface S3Server extends AsyncDisposable {
  readonly endpoint: string
}

const script = new URL('../../../../scripts/services.sh', import.meta.url).pathname

/** Starts a gateway with its state in the folder. First stops a gateway that a killed run left there. */
export async function startS3(folder: string): Promise<S3Server> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const [port, monitorPort] = [await findFreePort(), await findFreePort()]
  const settings = { LATHE_DATA_DIR: folder, LATHE_S3_PORT: `${port}`, LATHE_MON_PORT: `${monitorPort}` }
  const command = ['env', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`), 'bash', script]
  const stop = async () => void (await runToEnd([...command, 'down', 's3']))
  await stop()
  await runToEnd([...command, 'up', 's3'])
  return { endpoint: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: stop }
}
