import { buildAuthOpenApi, buildOpenApi } from '@lathe/contract'
import manifest from '../../package.json' with { type: 'json' }

/** The OpenAPI document as published. */
export function renderOpenApi(): string {
  return `${JSON.stringify(buildOpenApi({ version: manifest.version }), undefined, 2)}\n`
}

/** The OpenAPI document of the endpoints under /auth. */
export function renderAuthOpenApi(): string {
  return `${JSON.stringify(buildAuthOpenApi({ version: manifest.version }), undefined, 2)}\n`
}
