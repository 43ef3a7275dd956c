import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { createBreaks } from '../breaks.ts'
import { retryBroken } from '../retry-broken.ts'
import type { Bucket } from './bucket.ts'

export interface ListedKey {
  readonly key: string
  readonly size: number
}

export interface ListLimits {
  /** The most objects of one import. */
  readonly files: number
  /** Keys per request. The protocol returns at most 1000. */
  readonly page: number
}

export const defaultListLimits: ListLimits = { files: 1000, page: 1000 }

/** The objects whose key begins with a prefix, ordered by key. Throws TransferFailed. */
export async function listKeys(
  bucket: Bucket,
  prefix: string,
  { signal, limits }: { readonly signal: AbortSignal; readonly limits: ListLimits },
): Promise<readonly ListedKey[]> {
  const breaks = createBreaks(signal)
  const found: ListedKey[] = []
  let token: string | undefined
  do {
    const place = token === undefined ? {} : { ContinuationToken: token }
    const command = new ListObjectsV2Command({ Bucket: bucket.name, Prefix: prefix, MaxKeys: limits.page, ...place })
    const page = await retryBroken(breaks, found.length, () =>
      bucket.ask((client) => client.send(command, { abortSignal: signal })),
    )
    for (const { Key: key, Size: size = 0 } of page.Contents ?? []) {
      // Consoles represent a folder as an empty object whose key ends with a slash.
      if (key !== undefined && !(size === 0 && key.endsWith('/'))) found.push({ key, size })
    }
    if (found.length > limits.files) throw new TransferFailed(tooMany(limits.files))
    token = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (token !== undefined)
  return found
}

function tooMany(files: number) {
  return failure('limit_exceeded', { text: `More than ${files} objects begin with this prefix. Give a longer one.` })
}
