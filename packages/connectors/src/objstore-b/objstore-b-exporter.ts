import { isFailure } from '@lathe/domain'
import { exportFiles } from '../export-files.ts'
import type { Exporter } from '../exporter.ts'
import { type ObjstoreBParts, openBucket } from './bucket.ts'
import { putObject } from './put-object.ts'

/** Puts files into a Google Cloud Storage bucket. */
export function createObjstoreBExporter(parts: ObjstoreBParts): Exporter {
  return {
    operation: 'export/objstore_b',

    async run(payload, context) {
      const bucket = openBucket(payload, 'read_write', parts)
      if (isFailure(bucket)) return bucket
      const { signal } = context
      return exportFiles(context, String(payload.file ?? ''), (name, file, reached) =>
        putObject(bucket, { name, file, signal, reached }),
      )
    },
  }
}
