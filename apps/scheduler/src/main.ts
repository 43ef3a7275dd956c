import { untilStopped } from '@lathe/runtime'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
{
  await using _scheduler = await compose(config)
  await untilStopped()
}
// A leftover timer of a library must not keep the process alive after everything is closed.
process.exit()
