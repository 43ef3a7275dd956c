import type { TracesConfig } from './config.ts'
import { noTraces, type Traces } from './traces.ts'

/** Opens the connection to the collector. Its libraries are loaded only if one is configured. */
export async function openTraces(service: string, config: TracesConfig): Promise<Traces> {
  if (config.endpoint === '') return noTraces
  const { createTraces } = await import('./otel-traces.ts')
  return createTraces(service, config)
}
