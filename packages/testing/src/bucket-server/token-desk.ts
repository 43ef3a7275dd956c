import { createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, verify } from 'node:crypto'

/** A service account of the test server. */
export interface TestAccount {
  readonly clientEmail: string
  /** PKCS #8 in PEM, as in key files. */
  readonly privateKey: string
}

export interface TokenDesk {
  addAccount(clientEmail: string): TestAccount
  /** Returns a token for a signed claim, or the error code of RFC 6749 for an invalid claim. */
  exchange(form: URLSearchParams, audience: string): { readonly token: string } | { readonly error: string }
  /** The account and the scope of this token. */
  find(token: string): Holder | undefined
  /** Revokes every token. */
  endAll(): void
}

export interface Holder {
  readonly clientEmail: string
  readonly scope: string
}

interface Claims {
  readonly iss?: unknown
  readonly aud?: unknown
  readonly scope?: unknown
  readonly iat?: unknown
  readonly exp?: unknown
}

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const scopes = ['read_only', 'read_write'].map((right) => `https://www.googleapis.com/auth/devstorage.${right}`)
const maxLifetimeS = 3600
const skewS = 60

/** Checks claims as strictly as the real service does: signature, algorithm, audience, scope and times. */
export function createTokenDesk(): TokenDesk {
  const keys = new Map<string, KeyObject>()
  const holders = new Map<string, Holder>()
  return {
    addAccount(clientEmail) {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      keys.set(clientEmail, createPublicKey(privateKey))
      return { clientEmail, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
    },
    exchange(form, audience) {
      if (form.get('grant_type') !== grant) return { error: 'unsupported_grant_type' }
      const claims = readClaims(form.get('assertion') ?? '', keys)
      if (!claims || !hold(claims, audience)) return { error: 'invalid_grant' }
      if (!scopes.includes(String(claims.scope))) return { error: 'invalid_scope' }
      const token = `ya29.${randomUUID()}${randomUUID()}`
      holders.set(token, { clientEmail: String(claims.iss), scope: String(claims.scope) })
      return { token }
    },
    find: (token) => holders.get(token),
    endAll: () => holders.clear(),
  }
}

function readClaims(assertion: string, keys: ReadonlyMap<string, KeyObject>): Claims | undefined {
  const [head = '', body = '', signature = ''] = assertion.split('.')
  const header = parse(head) as { alg?: unknown } | undefined
  const claims = parse(body) as Claims | undefined
  const key = keys.get(String(claims?.iss))
  if (header?.alg !== 'RS256' || !key) return undefined
  return verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')) ? claims : undefined
}

function hold({ aud, iat, exp }: Claims, audience: string): boolean {
  const now = Date.now() / 1000
  if (aud !== audience || typeof iat !== 'number' || typeof exp !== 'number') return false
  return iat <= now + skewS && exp > now && exp - iat <= maxLifetimeS
}

function parse(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
