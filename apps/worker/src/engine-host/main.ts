/**
 * The process that runs engines. It has the rights that isolation needs, but no secrets and no network. The worker
 * starts one itself, or connects to one that was started separately (`ENGINE_HOST_SOCKET`).
 */
import { readEnv, untilStopped } from '@lathe/runtime'
import {
  createSandbox,
  listenHost,
  openRunners,
  SandboxUnavailable,
  type ServeReport,
  sandboxConfig,
  unavailableExit,
} from '@lathe/sandbox'
import { provePolicies } from '../prove-policies.ts'
import { hostEnv, runnersConfig } from './config.ts'

const values = readEnv(hostEnv, process.env)

try {
  const config = sandboxConfig(values)
  await using sandbox = await createSandbox(config)
  // Only one worker is connected at a time.
  let reportServed: ServeReport = () => {}
  const onServe: ServeReport = (runner, servedBy) => reportServed(runner, servedBy)
  await using runners = await openRunners(sandbox, { ...runnersConfig(values), onServe })
  await provePolicies({ sandbox, runners })
  await using listener = await listenHost(
    {
      sandbox,
      runners,
      watchServed(tell) {
        reportServed = tell
      },
    },
    { path: values.ENGINE_HOST_SOCKET, gid: values.ENGINE_HOST_GID },
  )
  if (values.ENGINE_HOST_CHILD === '1') await untilParentEnds()
  else {
    await untilStopped()
    await listener.drain(values.WORKER_DRAIN_S * 1000)
  }
} catch (error) {
  if (!(error instanceof SandboxUnavailable)) throw error
  process.stderr.write(`SANDBOX_UNAVAILABLE: ${error.message}\n`)
  process.exit(unavailableExit)
}
process.exit()

/** The worker drains first and then closes its end of the pipe. If the worker dies, the kernel closes it. */
function untilParentEnds(): Promise<void> {
  return new Promise((resolve) =>
    process.stdin
      .resume()
      .once('end', resolve)
      .once('error', () => resolve()),
  )
}
