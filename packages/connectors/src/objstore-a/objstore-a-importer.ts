import { type Failure, failure, isFailure } from '@lathe/domain'
import { type Outbound, TransferFailed } from '@lathe/outbound'
import { revealText } from '@lathe/runtime'
import { chooseFilename } from '../filename.ts'
import { importFile } from '../import-file.ts'
import type { ImportContext, Importer } from '../importer.ts'
import { createMeter } from '../save-from.ts'
import { type Bucket, openBucket } from './bucket.ts'
import { defaultListLimits, type ListedKey, type ListLimits, listKeys } from './list-keys.ts'
import { remoteObject } from './remote-object.ts'

interface ImporterParts {
  readonly outbound: Outbound
  readonly listLimits?: ListLimits
}

/** Fetches an object of an S3 bucket, or all whose keys begin alike. */
export function createObjstoreAImporter({ outbound, listLimits = defaultListLimits }: ImporterParts): Importer {
  return {
    operation: 'import/objstore_a',

    async run(payload, context) {
      const opened = openBucket(payload, outbound)
      if (isFailure(opened)) return opened
      using bucket = opened
      const key = revealText(payload.key)
      if (key !== undefined) return await importObject(bucket, key, payload.filename, context)
      try {
        const prefix = revealText(payload.key_prefix) ?? ''
        const found = await listKeys(bucket, prefix, { signal: context.signal, limits: listLimits })
        return await importAll(bucket, found, payload.filename, context)
      } catch (error) {
        context.signal.throwIfAborted()
        if (error instanceof TransferFailed) return error.failure
        throw error
      }
    },
  }
}

function importObject(bucket: Bucket, key: string, filename: unknown, context: ImportContext) {
  return importFile(remoteObject(bucket, key, context.signal), nameOf(key, filename), context)
}

async function importAll(
  bucket: Bucket,
  found: readonly ListedKey[],
  filename: unknown,
  context: ImportContext,
): Promise<Failure | undefined> {
  const [only] = found
  if (only === undefined) return failure('source_not_found', { text: 'No object begins with this prefix.' })
  if (found.length === 1) return importObject(bucket, only.key, filename, context)
  const total = found.reduce((sum, { size }) => sum + size, 0)
  const count = createMeter(total, context.progress)
  for (const { key, size } of found) {
    // A name for one file says nothing about several: each keeps its own.
    const failed = await importObject(bucket, key, undefined, { ...context, progress: () => {} })
    if (failed) return failed
    count(size)
  }
  return undefined
}

/** The caller's name, else the end of the key. */
function nameOf(key: string, given: unknown): string {
  return chooseFilename(given, key.split('/').at(-1))
}
