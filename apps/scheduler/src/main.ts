import { untilStopped } from '@lathe/runtime'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
{
  await using _scheduler = await compose(config)
  await untilStopped()
}
// A library's leftover timer must not keep a process alive that has closed everything it opened.
process.exit()
