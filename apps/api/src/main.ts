import { setTimeout as pause } from 'node:timers/promises'
import { untilStopped } from '@lathe/runtime'
import { buildApp } from './app.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
{
  await using services = await compose(config)
  await using app = await buildApp(services)
  await app.listen({ host: config.http.host, port: config.http.port })
  services.log.info({ signal: await untilStopped() }, 'stopping')
  // Load balancers must notice before the listener closes, or requests would be refused.
  services.stopping.abort()
  await pause(config.http.drainMs)
}
// A library's leftover timer must not keep a process alive that has closed everything it opened.
process.exit()
