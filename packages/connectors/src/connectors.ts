import type { Operation } from '@lathe/operations'
import { base64 } from './base64/base64.ts'
import { blobstore } from './blobstore/blobstore.ts'
import type { Connector, ConnectorParts, Exporter, Importer } from './connector.ts'
import { objstoreA } from './objstore-a/objstore-a.ts'
import { objstoreB } from './objstore-b/objstore-b.ts'
import { sftp } from './sftp/sftp.ts'
import { url } from './url/url.ts'
import { webpage } from './webpage/webpage.ts'

/** All connectors. Add a new one here. */
const connectors: Readonly<Record<string, Connector>> = {
  url,
  webpage,
  base64,
  objstoreA,
  objstoreB,
  blobstore,
  sftp,
}

/** The importers and exporters, by operation. */
export interface OpenConnectors {
  readonly importers: ReadonlyMap<Operation, Importer>
  readonly exporters: ReadonlyMap<Operation, Exporter>
}

export function openConnectors(parts: ConnectorParts): OpenConnectors {
  const open = Object.values(connectors).map((connector) => connector(parts))
  return {
    importers: byOperation(open.flatMap(({ importers = [] }) => importers)),
    exporters: byOperation(open.flatMap(({ exporters = [] }) => exporters)),
  }
}

function byOperation<One extends { readonly operation: Operation }>(all: readonly One[]): ReadonlyMap<Operation, One> {
  return new Map(all.map((one) => [one.operation, one]))
}
