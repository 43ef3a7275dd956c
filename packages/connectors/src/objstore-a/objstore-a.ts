import { type Failure, failure, isFailure } from '@lathe/domain'
import { type Outbound, TransferFailed } from '@lathe/outbound'
import {
  type Connector,
  defineExporter,
  defineImporter,
  type Exporter,
  type ImportContext,
  type Importer,
} from '../connector.ts'
import { exportFiles } from '../export-files.ts'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import { createMeter } from '../save-from.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { defaultListLimits, type ListedKey, type ListLimits, listKeys } from './list-keys.ts'
import { putInParts } from './put-in-parts.ts'
import { putWhole } from './put-whole.ts'
import { remoteObject } from './remote-object.ts'

/** S3 buckets. */
export const objstoreA: Connector = ({ outbound: doors }) => {
  const outbound = doors.for('objstore_a')
  return { importers: [createObjstoreAImporter({ outbound })], exporters: [createObjstoreAExporter({ outbound })] }
}

interface ImporterParts {
  readonly outbound: Outbound
  readonly listLimits?: ListLimits
}

/** Fetches an object of an S3 bucket, or all objects whose keys begin with a prefix. */
export function createObjstoreAImporter({ outbound, listLimits = defaultListLimits }: ImporterParts): Importer {
  return defineImporter({
    operation: 'import/objstore_a',

    async run(payload, context) {
      const opened = openBucket(payload, outbound)
      if (isFailure(opened)) return opened
      using bucket = opened
      const { key, key_prefix: prefix = '', filename } = payload
      if (key !== undefined) return await importObject(bucket, key, filename, context)
      try {
        const found = await listKeys(bucket, prefix, { signal: context.signal, limits: listLimits })
        return await importAll(bucket, found, filename, context)
      } catch (error) {
        context.signal.throwIfAborted()
        if (error instanceof TransferFailed) return error.failure
        throw error
      }
    },
  })
}

// Larger files are uploaded in parts: the server then refuses a small request, not one in the middle of a body.
const largestWhole = 2 ** 20

/** Puts files into an S3 bucket. */
export function createObjstoreAExporter({ outbound }: { readonly outbound: Outbound }): Exporter {
  return defineExporter({
    operation: 'export/objstore_a',

    async run(payload, context) {
      const opened = openBucket(payload, outbound)
      if (isFailure(opened)) return opened
      using bucket = opened
      const { signal } = context
      return await exportFiles(context, payload.key, (key, file, reached) => {
        const put = file.size <= largestWhole ? putWhole : putInParts
        return put(bucket, { key, file, signal, reached })
      })
    },
  })
}

function importObject(bucket: Bucket, key: string, filename: string | undefined, context: ImportContext) {
  return importFile(remoteObject(bucket, key, context.signal), nameOf(key, filename), context)
}

async function importAll(
  bucket: Bucket,
  found: readonly ListedKey[],
  filename: string | undefined,
  context: ImportContext,
): Promise<Failure | undefined> {
  const [only] = found
  if (only === undefined) return failure('source_not_found', { text: 'No object begins with this prefix.' })
  if (found.length === 1) return importObject(bucket, only.key, filename, context)
  const total = found.reduce((sum, { size }) => sum + size, 0)
  const count = createMeter(total, context.progress)
  for (const { key, size } of found) {
    // A name for one file does not fit several: each keeps its own.
    const failed = await importObject(bucket, key, undefined, { ...context, progress: () => {} })
    if (failed) return failed
    count(size)
  }
  return undefined
}

/** The name that the caller gave, otherwise the end of the key. */
function nameOf(key: string, given: string | undefined): string {
  return chooseFilename(given, key.split('/').at(-1))
}
