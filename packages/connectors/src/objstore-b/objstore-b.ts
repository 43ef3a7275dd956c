import { isFailure } from '@lathe/domain'
import { type Connector, defineExporter, defineImporter, type Exporter, type Importer } from '../connector.ts'
import { exportFiles } from '../export-files.ts'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import { type ObjstoreBParts, openBucket } from './bucket.ts'
import { putObject } from './put-object.ts'
import { remoteObject } from './remote-object.ts'

/** Google Cloud Storage buckets. */
export const objstoreB: Connector = ({ outbound, settings }) => {
  const parts = {
    outbound: outbound.for('objstore_b'),
    endpoint: settings.OBJSTORE_B_ENDPOINT,
    tokenUrl: settings.OBJSTORE_B_TOKEN_URL,
  }
  return { importers: [createObjstoreBImporter(parts)], exporters: [createObjstoreBExporter(parts)] }
}

/** Fetches an object from a Google Cloud Storage bucket. */
export function createObjstoreBImporter(parts: ObjstoreBParts): Importer {
  return defineImporter({
    operation: 'import/objstore_b',

    async run(payload, context) {
      const bucket = openBucket(payload, 'read_only', parts)
      if (isFailure(bucket)) return bucket
      const filename = chooseFilename(payload.filename, payload.file.split('/').at(-1))
      return importFile(remoteObject(bucket, payload.file, context), filename, context)
    },
  })
}

/** Puts files into a Google Cloud Storage bucket. */
export function createObjstoreBExporter(parts: ObjstoreBParts): Exporter {
  return defineExporter({
    operation: 'export/objstore_b',

    async run(payload, context) {
      const bucket = openBucket(payload, 'read_write', parts)
      if (isFailure(bucket)) return bucket
      const { signal } = context
      return exportFiles(context, payload.file, (name, file, reached) =>
        putObject(bucket, { name, file, signal, reached }),
      )
    },
  })
}
