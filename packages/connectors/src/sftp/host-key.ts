import { createHash } from 'node:crypto'

/** The host key that a caller expects of a server. */
export interface ExpectedHostKey {
  readonly fingerprint: string
  /** Set if the whole key was given. */
  readonly keyType?: string
}

/** The SHA-256 of a key in its wire form, as OpenSSH prints it. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`
}

/** Parses `SHA256:…`, a line of a `.pub` file, or one of `known_hosts`. Returns undefined for anything else. */
export function parseHostKey(text: string): ExpectedHostKey | undefined {
  const words = text.trim().split(/\s+/)
  const [only] = words
  if (words.length === 1 && only !== undefined) return parseFingerprint(only)
  const at = words.findIndex((word) => /^(?:ssh|ecdsa)-[\w-]+$/.test(word))
  return at < 0 ? undefined : parseKey(words[at] ?? '', words[at + 1] ?? '')
}

// 32 bytes are 43 characters of base64.
function parseFingerprint(word: string): ExpectedHostKey | undefined {
  const digest = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(word)?.[1]
  return digest === undefined ? undefined : { fingerprint: `SHA256:${digest}` }
}

/** A key in its wire form begins with its type. Anything else is not a key. */
function parseKey(keyType: string, base64: string): ExpectedHostKey | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  const key = Buffer.from(base64, 'base64')
  if (key.length < 4 || key.toString('latin1', 4, 4 + key.readUInt32BE(0)) !== keyType) return undefined
  return { fingerprint: fingerprintOf(key), keyType }
}
