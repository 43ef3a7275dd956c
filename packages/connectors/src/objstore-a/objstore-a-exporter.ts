import { isFailure } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import { exportFiles } from '../export-files.ts'
import type { Exporter } from '../exporter.ts'
import { openBucket } from './bucket.ts'
import { putInParts } from './put-in-parts.ts'
import { putWhole } from './put-whole.ts'

// Beyond this an upload in parts comes first: it is refused by a small request, not in the middle of a body.
const largestWhole = 2 ** 20

/** Puts files into an S3 bucket. */
export function createObjstoreAExporter({ outbound }: { readonly outbound: Outbound }): Exporter {
  return {
    operation: 'export/objstore_a',

    async run(payload, context) {
      const opened = openBucket(payload, outbound)
      if (isFailure(opened)) return opened
      using bucket = opened
      const { signal } = context
      return await exportFiles(context, revealText(payload.key) ?? '', (key, file, reached) => {
        const put = file.size <= largestWhole ? putWhole : putInParts
        return put(bucket, { key, file, signal, reached })
      })
    },
  }
}
