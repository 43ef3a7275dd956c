import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { Outbound } from '@lathe/outbound'
import type { Clock } from '@lathe/runtime'
import * as openid from 'openid-client'
import type { OidcConfig } from './config.ts'
import { createProviderFetch } from './provider-fetch.ts'

/** The provider's claims about a person who has signed in there. */
export interface ProvidedPerson {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string | undefined
  /** Undefined if the provider does not report it. */
  readonly isEmailVerified: boolean | undefined
  readonly groups: readonly string[]
}

/** The client of an identity provider. */
export interface OidcProvider {
  /** The URL to send a browser to, for the secret in its cookie. */
  start(secret: string): Promise<URL>
  /** The person who came back, from the query of the callback URL; throws if it does not match the start. */
  finish(secret: string, query: string): Promise<ProvidedPerson>
}

interface ProviderParts {
  readonly config: OidcConfig
  readonly publicUrl: string
  readonly outbound: Pick<Outbound, 'request'>
  readonly clock: Clock
}

// A provider rarely changes its endpoints; its keys are fetched again when an unknown one has signed.
const metadataMs = 3_600_000

/**
 * Signs in with the code flow with PKCE (RFC 7636), state and nonce. All three are derived from one secret in the
 * browser's cookie, so none of them is stored, and a response is valid only in the browser that started.
 */
export function createOidcProvider({ config, publicUrl, outbound, clock }: ProviderParts): OidcProvider {
  const redirectUri = `${publicUrl}/auth/oidc/callback`
  let known: { readonly client: openid.Configuration; readonly until: number } | undefined

  async function discover(): Promise<openid.Configuration> {
    const isInsecure = config.issuer.protocol === 'http:'
    const authentication = config.clientSecret === '' ? openid.None() : undefined
    const secret = config.clientSecret === '' ? undefined : config.clientSecret
    return openid.discovery(config.issuer, config.clientId, secret, authentication, {
      [openid.customFetch]: createProviderFetch(outbound),
      // Checks the signature of the ID token although it comes directly from the provider.
      execute: [openid.enableNonRepudiationChecks, ...(isInsecure ? [openid.allowInsecureRequests] : [])],
    })
  }

  async function findClient(): Promise<openid.Configuration> {
    const now = clock.now().getTime()
    if (!known || known.until <= now) known = { client: await discover(), until: now + metadataMs }
    return known.client
  }

  return {
    async start(secret) {
      const challenge = createHash('sha256').update(derive(secret, 'verifier')).digest('base64url')
      return openid.buildAuthorizationUrl(await findClient(), {
        redirect_uri: redirectUri,
        scope: config.scopes,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        state: derive(secret, 'state'),
        nonce: derive(secret, 'nonce'),
      })
    },
    async finish(secret, query) {
      const client = await findClient()
      const tokens = await openid.authorizationCodeGrant(client, new URL(`${redirectUri}${query}`), {
        pkceCodeVerifier: derive(secret, 'verifier'),
        expectedState: derive(secret, 'state'),
        expectedNonce: derive(secret, 'nonce'),
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('the provider gave no ID token')
      const hasInfo = client.serverMetadata().userinfo_endpoint !== undefined
      const info = hasInfo ? await openid.fetchUserInfo(client, tokens.access_token, claims.sub) : {}
      return toPerson({ ...info, ...claims }, config.groupsClaim)
    },
  }
}

/** A secret for the cookie of a browser that is sent to the provider. */
export function newOidcSecret(): string {
  return randomBytes(32).toString('base64url')
}

const derive = (secret: string, use: string) => createHmac('sha256', secret).update(use).digest('base64url')

function toPerson(claims: Readonly<Record<string, unknown>>, groupsClaim: string): ProvidedPerson {
  const email = textOf(claims.email)
  const verified = claims.email_verified
  const groups = claims[groupsClaim]
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    name: textOf(claims.name) ?? textOf(claims.preferred_username) ?? email ?? String(claims.sub),
    email,
    isEmailVerified:
      typeof verified === 'boolean' ? verified : verified === undefined ? undefined : verified === 'true',
    groups: (Array.isArray(groups) ? groups : [groups]).filter((group) => typeof group === 'string'),
  }
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : text
}
