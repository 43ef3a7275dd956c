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
}
// A library's leftover timer must not keep a process alive that has closed everything it opened.
process.exit()
