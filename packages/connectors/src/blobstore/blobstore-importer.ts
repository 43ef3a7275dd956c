import { isFailure } from '@lathe/domain'
import { revealText } from '@lathe/runtime'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import type { Importer } from '../importer.ts'
import { type BlobstoreParts, openContainer } from './container.ts'
import { remoteBlob } from './remote-blob.ts'

/** Fetches a blob of a container. */
export function createBlobstoreImporter(parts: BlobstoreParts): Importer {
  return {
    operation: 'import/blobstore',

    async run(payload, context) {
      const opened = openContainer(payload, parts)
      if (isFailure(opened)) return opened
      using container = opened
      const name = revealText(payload.blob) ?? ''
      const filename = chooseFilename(payload.filename, name.split('/').at(-1))
      return await importFile(remoteBlob(container.blob(name), context.signal), filename, context)
    },
  }
}
