import { startUnlessStopped, untilStopped } from '@lathe/runtime'
import { SandboxUnavailable, unavailableExit } from '@lathe/sandbox'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
// Before it reports that it is ready: from then on it may be asked to stop, and has tasks to finish.
const stopped = untilStopped()
try {
  await using worker = await startUnlessStopped(compose(config), stopped)
  // A worker without engines is of no use: it exits, so that its supervisor can start another.
  await Promise.race([stopped, worker.gone])
} catch (error) {
  if (!(error instanceof SandboxUnavailable)) throw error
  process.stderr.write(`SANDBOX_UNAVAILABLE: ${error.message}\n`)
  process.exit(unavailableExit)
}
// A leftover timer of a library must not keep a process alive that has closed everything it opened.
process.exit()
