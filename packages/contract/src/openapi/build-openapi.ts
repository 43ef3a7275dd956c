/** What the document says of the server it describes. */
export interface OpenApiFacts {
  readonly version: string
  readonly serverUrl?: string
}

/** A JSON document. */
export type JsonObject = { readonly [key: string]: unknown }

/** The OpenAPI 3.1 document of every endpoint. */
export function buildOpenApi({ version }: OpenApiFacts): JsonObject {
  return { openapi: '3.1.0', info: { title: 'Lathe', version } }
}
