export { connectorsConfig, connectorsEnv } from './config.ts'
export type { ConnectorParts, ExportContext, Exporter, ExportFile, ImportContext, Importer } from './connector.ts'
export { openConnectors } from './connectors.ts'
