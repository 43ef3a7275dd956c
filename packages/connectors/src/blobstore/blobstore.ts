import { isFailure } from '@lathe/domain'
import { type Connector, defineExporter, defineImporter, type Exporter, type Importer } from '../connector.ts'
import { exportFiles } from '../export-files.ts'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import { type BlobstoreParts, openContainer } from './container.ts'
import { putBlob } from './put-blob.ts'
import { remoteBlob } from './remote-blob.ts'

/** Containers of Azure Blob Storage. */
export const blobstore: Connector = ({ outbound, settings }) => {
  const parts = { outbound: outbound.for('blobstore'), endpoint: settings.BLOBSTORE_ENDPOINT }
  return { importers: [createBlobstoreImporter(parts)], exporters: [createBlobstoreExporter(parts)] }
}

/** Fetches a blob of a container. */
export function createBlobstoreImporter(parts: BlobstoreParts): Importer {
  return defineImporter({
    operation: 'import/blobstore',

    async run(payload, context) {
      const opened = openContainer(payload, parts)
      if (isFailure(opened)) return opened
      using container = opened
      const filename = chooseFilename(payload.filename, payload.blob.split('/').at(-1))
      return await importFile(remoteBlob(container.blob(payload.blob), context.signal), filename, context)
    },
  })
}

/** Puts files into a container. */
export function createBlobstoreExporter(parts: BlobstoreParts): Exporter {
  return defineExporter({
    operation: 'export/blobstore',

    async run(payload, context) {
      const opened = openContainer(payload, parts)
      if (isFailure(opened)) return opened
      using container = opened
      const { signal } = context
      return await exportFiles(context, payload.blob, (name, file, reached) =>
        putBlob(container.blob(name), { file, signal, reached }),
      )
    },
  })
}
