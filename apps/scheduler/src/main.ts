import { startUnlessStopped, untilStopped } from '@lathe/runtime'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
const stopped = untilStopped()
{
  await using _scheduler = await startUnlessStopped(compose(config), stopped)
  await stopped
}
// A leftover timer of a library must not keep the process alive after everything is closed.
process.exit()
