/** A cookie of 256 random bits, such as that of a session, for the public address of the service. */
export interface SessionCookie {
  readonly name: string
  /** What a `Cookie` header holds of it. */
  read(header: string | undefined): string | undefined
  /** A `Set-Cookie` that is kept until the browser is closed, or for so many seconds. */
  write(value: string, maxAgeS?: number): string
  /** A `Set-Cookie` that removes it. */
  remove(): string
}

/**
 * Over HTTPS the browser itself sees to it, by the prefix, that no other host and no plain connection sets it. Plain HTTP
 * can have neither prefix nor Secure: the browser would drop the cookie without a word.
 */
export function createSessionCookie(publicUrl: string, plainName = 'lathe'): SessionCookie {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  // 256 bits in base64url, and nothing else.
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?=;|\\s*$)`)
  return {
    name,
    read: (header = '') => pattern.exec(header)?.[1],
    write: (value, maxAgeS) =>
      `${name}=${value}${attributes}${maxAgeS === undefined ? '' : `; Max-Age=${Math.floor(maxAgeS)}`}`,
    remove: () => `${name}=${attributes}; Max-Age=0`,
  }
}
