/** Top-level labels that are never public: special-use (RFC 6761, 6762, 7686, 8375, 9476) and common private ones. */
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

// Underscores are not valid in hostnames, but buckets and old servers use them.
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Whether a parsed, lower-case ASCII text is a hostname: plain labels, the last of which is not a number. */
export function isPlainName(hostname: string): boolean {
  if (hostname.length > 253) return false
  // A trailing dot leaves an empty last label and is refused: it would bypass suffix rules elsewhere.
  const labels = hostname.split('.')
  return labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

/** Whether a hostname may be public: at least two plain labels, and no private top-level label. */
export function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.')
  return labels.length > 1 && isPlainName(hostname) && !privateTops.has(labels.at(-1) ?? '')
}
