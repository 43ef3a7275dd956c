import type { Operation } from '@lathe/operations'
import { createBlobstoreExporter } from './blobstore/blobstore-exporter.ts'
import type { ConnectorParts } from './connector-parts.ts'
import type { Exporter } from './exporter.ts'
import { createObjstoreAExporter } from './objstore-a/objstore-a-exporter.ts'
import { createObjstoreBExporter } from './objstore-b/objstore-b-exporter.ts'
import { createHostKeys } from './sftp/host-keys.ts'
import { createSftpExporter } from './sftp/sftp-exporter.ts'

/** All exporters there are, by operation. */
export function createExporters({ outbound, database, config }: ConnectorParts): ReadonlyMap<Operation, Exporter> {
  const exporters: readonly Exporter[] = [
    createObjstoreAExporter({ outbound: outbound.for('objstore_a') }),
    createObjstoreBExporter({ outbound: outbound.for('objstore_b'), places: config.objstoreB }),
    createBlobstoreExporter({ outbound: outbound.for('blobstore'), blobstoreEndpoint: config.blobstoreEndpoint }),
    createSftpExporter({ outbound: outbound.for('sftp'), hostKeys: createHostKeys(database) }),
  ]
  return new Map(exporters.map((exporter) => [exporter.operation, exporter]))
}
