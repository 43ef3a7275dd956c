import { setTimeout as pause } from 'node:timers/promises'
import { serveMetrics, startUnlessStopped, untilStopped } from '@lathe/runtime'
import { buildApp } from './app.ts'
import { offerSetup } from './auth/offer-setup.ts'
import { compose } from './compose.ts'
import { readConfig } from './config.ts'

const config = readConfig(process.env)
const stopped = untilStopped()
{
  await using services = await startUnlessStopped(compose(config), stopped)
  await using app = await buildApp(services)
  await using metrics = await serveMetrics(services.metrics, { ...config.metrics, isMetricsOnly: true })
  services.log.info({ metricsPort: metrics.port }, 'metrics server started')
  await app.listen({ host: config.http.host, port: config.http.port })
  await offerSetup(services, process.stdout)
  services.log.info({ signal: await stopped }, 'stopping')
  // Load balancers must notice before the listener closes, or requests would be refused.
  services.stopping.abort()
  await pause(config.http.drainMs)
}
// A leftover timer of a library must not keep the process alive after everything was closed.
process.exit()
