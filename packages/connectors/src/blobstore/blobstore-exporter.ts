import { isFailure } from '@lathe/domain'
import { revealText } from '@lathe/runtime'
import { exportFiles } from '../export-files.ts'
import type { Exporter } from '../exporter.ts'
import { type BlobstoreParts, openContainer } from './container.ts'
import { putBlob } from './put-blob.ts'

/** Puts files into a container. */
export function createBlobstoreExporter(parts: BlobstoreParts): Exporter {
  return {
    operation: 'export/blobstore',

    async run(payload, context) {
      const opened = openContainer(payload, parts)
      if (isFailure(opened)) return opened
      using container = opened
      const { signal } = context
      return await exportFiles(context, revealText(payload.blob) ?? '', (name, file, reached) =>
        putBlob(container.blob(name), { file, signal, reached }),
      )
    },
  }
}
