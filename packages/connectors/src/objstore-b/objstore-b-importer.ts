import { isFailure } from '@lathe/domain'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import type { Importer } from '../importer.ts'
import { type ObjstoreBParts, openBucket } from './bucket.ts'
import { remoteObject } from './remote-object.ts'

/** Fetches an object from a Google Cloud Storage bucket. */
export function createObjstoreBImporter(parts: ObjstoreBParts): Importer {
  return {
    operation: 'import/objstore_b',

    async run(payload, context) {
      const bucket = openBucket(payload, 'read_only', parts)
      if (isFailure(bucket)) return bucket
      const name = String(payload.file ?? '')
      const filename = chooseFilename(payload.filename, name.split('/').at(-1))
      return importFile(remoteObject(bucket, name, context), filename, context)
    },
  }
}
