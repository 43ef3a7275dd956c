export { type DataUri, maxBase64Length, parseDataUri } from './base64/data-uri.ts'
export type { ImportContext, Importer } from './importer.ts'
export { createImporters } from './importers.ts'
