/** Top labels that never name a public host: special-use (RFC 6761, 6762, 7686, 8375, 9476) and common private ones. */
const privateTops: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'internal',
  'localdomain',
  'lan',
  'home',
  'corp',
  'intranet',
  'private',
  'arpa',
  'onion',
  'alt',
  'invalid',
  'test',
])

// Underscores are no host names by the book, but buckets and old servers carry them.
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Whether a parsed, lower-case ASCII host name may be looked up at all: at least two plain labels, no private top. */
export function isPublicName(hostname: string): boolean {
  if (hostname.length > 253) return false
  // A trailing dot leaves an empty last label, and so is refused: it would slip past suffix rules elsewhere.
  const labels = hostname.split('.')
  const top = labels.at(-1) ?? ''
  return labels.length > 1 && labels.every((part) => label.test(part)) && !privateTops.has(top) && !/^\d+$/.test(top)
}
