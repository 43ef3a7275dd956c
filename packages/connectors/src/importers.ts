import type { Operation } from '@lathe/operations'
import { base64Importer } from './base64/base64-importer.ts'
import { createBlobstoreImporter } from './blobstore/blobstore-importer.ts'
import type { ConnectorParts } from './connector-parts.ts'
import type { Importer } from './importer.ts'
import { createObjstoreAImporter } from './objstore-a/objstore-a-importer.ts'
import { createObjstoreBImporter } from './objstore-b/objstore-b-importer.ts'
import { createHostKeys } from './sftp/host-keys.ts'
import { createSftpImporter } from './sftp/sftp-importer.ts'
import { createUrlImporter } from './url/url-importer.ts'
import { type BrowserRoom, createWebpageImporter } from './webpage/webpage-importer.ts'

/** All importers there are, by operation. */
export function createImporters(
  parts: ConnectorParts & { readonly browser: BrowserRoom },
): ReadonlyMap<Operation, Importer> {
  const { outbound, browser, database, config } = parts
  const pages = { outbound: outbound.for('webpage'), browser }
  const importers: readonly Importer[] = [
    createUrlImporter({ outbound: outbound.for('url') }),
    createWebpageImporter(pages),
    createWebpageImporter(pages, 'capture'),
    base64Importer,
    createObjstoreAImporter({ outbound: outbound.for('objstore_a') }),
    createObjstoreBImporter({ outbound: outbound.for('objstore_b'), places: config.objstoreB }),
    createBlobstoreImporter({ outbound: outbound.for('blobstore'), blobstoreEndpoint: config.blobstoreEndpoint }),
    createSftpImporter({ outbound: outbound.for('sftp'), hostKeys: createHostKeys(database) }),
  ]
  return new Map(importers.map((importer) => [importer.operation, importer]))
}
