import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'

/** Claims of a user known to the provider. */
export type ProviderPerson = Readonly<Record<string, unknown>>

/** An OpenID Connect provider on loopback with a sign-in page. */
export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** All known users by login name. */
  readonly people: Map<string, ProviderPerson>
  /** Allows a redirect URI. */
  allow(redirectUri: string): void
  /**
   * Follows the sign-in as a browser would, from the client's authorization URL to the redirect URL. Without a login it
   * denies access.
   */
  signIn(url: string, login?: string): Promise<string>
}

const client = { clientId: 'lathe', clientSecret: 'a secret between lathe and its provider' }

/** Starts `oidc-provider` with the code flow, PKCE and an issuer in its responses. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>()
  const redirectUris: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let provider = createProvider(issuer, people, ['http://127.0.0.1/none'])
  let handle = provider.callback()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isAsking = request.url?.startsWith('/interaction/') === true
    if (!isAsking) return handle(request, response)
    if (request.method === 'GET') return showPage(response)
    const login = new URLSearchParams(await text(request)).get('login') ?? ''
    const result = people.has(login)
      ? { login: { accountId: login } }
      : { error: 'access_denied', error_description: 'Somebody said no.' }
    await provider.interactionFinished(request, response, result)
  }

  return {
    ...{ issuer, people, ...client },
    allow(redirectUri) {
      redirectUris.push(redirectUri)
      provider = createProvider(issuer, people, redirectUris)
      handle = provider.callback()
    },
    signIn: (url, login = '') => walk(url, login, redirectUris),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signingKey = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }

function createProvider(issuer: string, people: IdentityProvider['people'], redirectUris: readonly string[]): Provider {
  return new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [...redirectUris] }],
    jwks: { keys: [signingKey] },
    cookies: { keys: ['a key of cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...people.get(accountId), sub: accountId }) }),
    loadExistingGrant: grantAll,
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  })
}

/** Grants consent without asking the user. */
async function grantAll(ctx: KoaContextWithOIDC) {
  const { client: asking, session, provider } = ctx.oidc
  if (!asking || !session?.accountId) return undefined
  const grant = new provider.Grant({ clientId: asking.clientId, accountId: session.accountId })
  grant.addOIDCScope('openid email profile')
  await grant.save()
  return grant
}

function showPage(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="en"><title>Provider</title><link rel="icon" href="data:,"><form method="post">
     <label>Name <input name="login"></label><button>Continue</button></form></html>`,
  )
}

const maxSteps = 10

async function walk(start: string, login: string, ends: readonly string[]): Promise<string> {
  const cookies = new Map<string, string>()
  let [url, init]: [string, RequestInit] = [start, {}]
  for (let step = 0; step < maxSteps; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
    for (const kept of response.headers.getSetCookie()) {
      const [name = '', value = ''] = kept.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    if (next === null) {
      if (response.status !== 200) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
      init = { method: 'POST', body: new URLSearchParams({ login }) }
      continue
    }
    url = new URL(next, url).href
    if (ends.some((end) => url.startsWith(end))) return url
    init = {}
  }
  throw new Error('the provider leads nowhere')
}
