import type { Operation } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { base64Importer } from './base64/base64-importer.ts'
import type { Importer } from './importer.ts'
import { createUrlImporter } from './url/url-importer.ts'

/** All importers there are, by operation. */
export function createImporters(parts: { readonly outbound: Outbound }): ReadonlyMap<Operation, Importer> {
  const importers: readonly Importer[] = [createUrlImporter(parts), base64Importer]
  return new Map(importers.map((importer) => [importer.operation, importer]))
}
