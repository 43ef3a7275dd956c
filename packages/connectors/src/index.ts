export { connectorsConfig, connectorsEnv } from './config.ts'
export type { Exporter, Importer } from './connector.ts'
export { openConnectors } from './connectors.ts'
