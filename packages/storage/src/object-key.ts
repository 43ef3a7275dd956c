import { createdAtOf, isObjectId, type ObjectId, retention } from '@lathe/domain'

/**
 * Keys lead with time, so that expiry drops prefixes and never asks about single files:
 *
 *   {first second of the task's 5 minutes, 10 digits}/{task}/{run}/{n}
 *
 * The task's id starts with its own second in hex, so a longer prefix names a shorter time.
 */
const bucketSeconds = retention.prefixMs / 1000
const bucketPattern = /^\d{10}$/

// Seven of a second's eight hex digits: 16 seconds, so at most 20 prefixes for 5 minutes.
const sliceDigits = 7
const sliceSeconds = 16 ** (8 - sliceDigits)

// A segment never starts with a dot: neither `..` nor the disk store's own temporary files can be named.
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*'
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`)
const prefixPattern = new RegExp(`^${segment}(?:/${segment})*/?$`)
const longestKey = 512

export interface KeyParts {
  readonly taskId: ObjectId
  /** What sets the bytes of one run or upload apart from all others of the task. */
  readonly attempt: number | string
  readonly n: number
}

/** The key of a task's file. */
export function objectKey({ taskId, attempt, n }: KeyParts): string {
  if (!isObjectId(taskId)) throw new TypeError('Not a task id.')
  const id = taskId.toLowerCase()
  return parseKey(`${bucketAt(createdAtOf(id))}/${id}/${attempt}/${n}`)
}

/** The first key segment of everything made at a time. */
export function bucketAt(time: Date): string {
  const second = Math.floor(time.getTime() / 1000)
  return String(second - (second % bucketSeconds)).padStart(10, '0')
}

/**
 * The prefixes in which no file can be younger than its 4 hours. Of a prefix that is only partly past,
 * the finer prefixes that are: its files go within seconds of their time, not within 5 minutes.
 */
export function expiredPrefixes(prefixes: readonly string[], now: Date): readonly string[] {
  const expiredSecond = Math.floor((now.getTime() - retention.fileMs) / 1000)
  return prefixes.filter((prefix) => bucketPattern.test(prefix)).flatMap((prefix) => expiredPart(prefix, expiredSecond))
}

function expiredPart(prefix: string, expiredSecond: number): readonly string[] {
  const first = Number(prefix)
  if (first + bucketSeconds <= expiredSecond) return [prefix]
  const slices: string[] = []
  // A slice may begin before its bucket; no id of the bucket is there, so nothing but its end matters.
  for (let slice = first - (first % sliceSeconds); slice + sliceSeconds <= expiredSecond; slice += sliceSeconds) {
    slices.push(`${prefix}/${slice.toString(16).padStart(8, '0').slice(0, sliceDigits)}`)
  }
  return slices
}

/** Refuses keys that could mean anything but a plain path below the store's root. */
export function parseKey(key: string): string {
  if (key.length > longestKey || !keyPattern.test(key)) throw new TypeError('Not an object key.')
  return key
}

/** Refuses prefixes that no key can start with, the empty one above all. */
export function parsePrefix(prefix: string): string {
  if (prefix.length > longestKey || !prefixPattern.test(prefix)) throw new TypeError('Not a key prefix.')
  return prefix
}
