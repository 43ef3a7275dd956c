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

/** Whether a parsed, lower-case ASCII text is a host name: plain labels, of which the last is no number. */
export function isPlainName(hostname: string): boolean {
  if (hostname.length > 253) return false
  // A trailing dot leaves an empty last label, and so is refused: it would slip past suffix rules elsewhere.
  const labels = hostname.split('.')
  return labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** Whether a host name may be public: at least two plain labels, no private top. */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.')
  return labels.length > 1 && isPlainName(hostname) && !privateTops.has(labels.at(-1) ?? '')
}
