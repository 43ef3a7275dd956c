import { buildOpenApi } from '@lathe/contract'
import manifest from '../../package.json' with { type: 'json' }

/** The OpenAPI document as published. */
export function renderOpenApi(): string {
  return `${JSON.stringify(buildOpenApi({ version: manifest.version }), undefined, 2)}\n`
}
