import { createdAtOf, isObjectId, type ObjectId, retention } from '@lathe/domain'

/**
 * Keys start with a time, so that expiry deletes prefixes and never looks at single files:
 *
 *   {first second of the task's 5 minutes, 10 digits}/{task}/{run}/{n}
 *
 * The task's ID starts with its own second in hex, so a longer prefix covers a shorter time.
 */
const bucketSeconds = retention.prefixMs / 1000
const bucketPattern = /^\d{10}$/

// Seven of the eight hex digits of a second: 16 seconds, so at most 20 prefixes for 5 minutes.
const sliceDigits = 7
const sliceSeconds = 16 ** (8 - sliceDigits)

// A segment never starts with a dot: it cannot be `..` or a temporary file of the disk store.
const segment = '[A-Za-z0-9_-][A-Za-z0-9._-]*'
const keyPattern = new RegExp(`^${segment}(?:/${segment})*$`)
const prefixPattern = new RegExp(`^${segment}(?:/${segment})*/?$`)
const longestKey = 512

export interface KeyParts {
  readonly taskId: ObjectId
  /** Distinguishes the files of one run or upload from all others of the task. */
  readonly attempt: number | string
  readonly n: number
}

/** The key of a task's file. */
export function objectKey({ taskId, attempt, n }: KeyParts): string {
  if (!isObjectId(taskId)) throw new TypeError('Not a task id.')
  const id = taskId.toLowerCase()
  return parseKey(`${bucketAt(createdAtOf(id))}/${id}/${attempt}/${n}`)
}

/** What the key of an object tells about it. */
export interface StoredKey {
  readonly taskId: ObjectId
  /** The attempt whose worker wrote the object; undefined if an api process did. */
  readonly attempt: number | undefined
}

const runPattern = /^(\d+)-[0-9a-f]{16}$/

/** The task and the attempt in a key that `objectKey` made; undefined for other keys. */
export function readKey(key: string): StoredKey | undefined {
  const [bucket = '', taskId = '', run = '', n, ...more] = key.split('/')
  if (!bucketPattern.test(bucket) || !isObjectId(taskId) || n === undefined || more.length > 0) return undefined
  const attempt = runPattern.exec(run)?.[1]
  return { taskId, attempt: attempt === undefined ? undefined : Number(attempt) }
}

/** The first key segment of everything created at a time. */
export function bucketAt(time: Date): string {
  const second = Math.floor(time.getTime() / 1000)
  return String(second - (second % bucketSeconds)).padStart(10, '0')
}

/**
 * The prefixes in which every file is past its 4 hours. A prefix that is only partly past is split into finer prefixes:
 * its files are deleted within seconds of their time, not within 5 minutes.
 */
export function expiredPrefixes(prefixes: readonly string[], now: Date): readonly string[] {
  const expiredSecond = Math.floor((now.getTime() - retention.fileMs) / 1000)
  return prefixes.filter((prefix) => bucketPattern.test(prefix)).flatMap((prefix) => expiredPart(prefix, expiredSecond))
}

/** Whether a key belongs to a task whose files are past their 4 hours. */
export function isExpiredKey(key: string, now: Date): boolean {
  const found = readKey(key)
  return found !== undefined && createdAtOf(found.taskId).getTime() + retention.fileMs < now.getTime()
}

function expiredPart(prefix: string, expiredSecond: number): readonly string[] {
  const first = Number(prefix)
  if (first + bucketSeconds <= expiredSecond) return [prefix]
  const slices: string[] = []
  // A slice may begin before its bucket. The bucket has no IDs there, so only the end of the slice matters.
  for (let slice = first - (first % sliceSeconds); slice + sliceSeconds <= expiredSecond; slice += sliceSeconds) {
    slices.push(`${prefix}/${slice.toString(16).padStart(8, '0').slice(0, sliceDigits)}`)
  }
  return slices
}

/** Refuses keys that are not a plain path below the store's root. */
export function parseKey(key: string): string {
  if (key.length > longestKey || !keyPattern.test(key)) throw new TypeError('Not an object key.')
  return key
}

/** Refuses prefixes that no key can start with, in particular the empty one. */
export function parsePrefix(prefix: string): string {
  if (prefix.length > longestKey || !prefixPattern.test(prefix)) throw new TypeError('Not a key prefix.')
  return prefix
}
