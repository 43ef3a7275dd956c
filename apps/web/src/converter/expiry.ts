import type { Item } from './item.ts'
import { blobs } from './state.ts'

type Ended = Pick<Item, 'stage' | 'result'>

/** When the result of a file expires on the server, in milliseconds; undefined if there is none. */
export function expiryOf({ stage, result }: Ended): number | undefined {
  const at = stage === 'done' ? Date.parse(result?.expiresAt ?? '') : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** Whether the result of a file has expired: its links are dead. */
export function isExpired(item: Ended, now: number = Date.now()): boolean {
  return (expiryOf(item) ?? Number.POSITIVE_INFINITY) <= now
}

/** The same file without its import if that has expired. An import is older than the result, so it expires first. */
export function withoutExpiredImport(item: Item): Item {
  if (!isExpired(item)) return item
  const { importedId, ...rest } = item
  return rest
}

/** Whether a file can be sent again without asking the user for it. */
export function canSendAgain({ id, url }: Item): boolean {
  return url !== undefined || blobs.has(id)
}
