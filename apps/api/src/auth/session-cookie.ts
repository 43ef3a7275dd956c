/** A cookie with 256 random bits, such as the session cookie, for the public URL of the service. */
export interface SessionCookie {
  readonly name: string
  /** The value of this cookie in a `Cookie` header. */
  read(header: string | undefined): string | undefined
  /** A `Set-Cookie` that lasts until the browser is closed, or for `maxAgeS` seconds. */
  write(value: string, maxAgeS?: number): string
  /** A `Set-Cookie` that removes it. */
  remove(): string
}

/**
 * Over HTTPS the name prefix makes the browser reject this cookie if another host or a plain connection sets it. Plain
 * HTTP allows neither the prefix nor Secure: the browser would silently drop the cookie.
 */
export function createSessionCookie(publicUrl: string, plainName = 'lathe'): SessionCookie {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  const name = isSecure ? `__Host-${plainName}` : plainName
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  // Exactly 256 bits in base64url.
  const pattern = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{43})(?=;|\\s*$)`)
  return {
    name,
    read: (header = '') => pattern.exec(header)?.[1],
    write: (value, maxAgeS) =>
      `${name}=${value}${attributes}${maxAgeS === undefined ? '' : `; Max-Age=${Math.floor(maxAgeS)}`}`,
    remove: () => `${name}=${attributes}; Max-Age=0`,
  }
}
