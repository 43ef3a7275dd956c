import { untilStopped } from '@lathe/runtime'
import { SandboxUnavailable, unavailableExit } from '@lathe/sandbox'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
try {
  await using worker = await compose(config)
  // A worker without engines is of no use: it exits, so that its supervisor can start another.
  await Promise.race([untilStopped(), worker.gone])
} catch (error) {
  if (!(error instanceof SandboxUnavailable)) throw error
  process.stderr.write(`SANDBOX_UNAVAILABLE: ${error.message}\n`)
  process.exit(unavailableExit)
}
// A leftover timer of a library must not keep a process alive that has closed everything it opened.
process.exit()
