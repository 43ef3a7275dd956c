import { failure, isFailure } from '@lathe/domain'
import { type Outbound, TransferFailed } from '@lathe/outbound'
import { judgeAnswer } from '../judge-answer.ts'
import type { Access } from './access.ts'
import { readJson } from './answer.ts'
import { makeAssertion } from './assertion.ts'

export interface TokenParts {
  readonly outbound: Pick<Outbound, 'request'>
  readonly tokenUrl: string
  readonly access: Access
  readonly scope: string
}

/** Access tokens of one account, for one run. */
export interface Tokens {
  /** A token that stays valid for some time. Throws TransferFailed. */
  get(signal: AbortSignal): Promise<string>
  /** Discards a token that was refused. */
  drop(token: string): void
}

// A request that began with a token may take long.
const reserveMs = 5 * 60_000

/** Requests a token when it is first needed, and again before it expires. */
export function createTokens(parts: TokenParts): Tokens {
  let current: { readonly token: string; readonly endsAt: number } | undefined
  return {
    async get(signal) {
      if (!current || current.endsAt - Date.now() < reserveMs) current = await ask(parts, signal)
      return current.token
    },
    drop(token) {
      if (current?.token === token) current = undefined
    },
  }
}

async function ask({ outbound, tokenUrl, access, scope }: TokenParts, signal: AbortSignal) {
  const { clientEmail, key } = access
  const assertion = makeAssertion(key, { clientEmail, scope, audience: tokenUrl, now: new Date() })
  const answer = await outbound.request(tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    signal,
    maxSize: 64 * 1024,
  })
  if (isFailure(answer)) throw new TransferFailed(answer)
  const { access_token: token, expires_in: lifetimeS, error } = await readJson(answer)
  if (answer.status !== 200) throw new TransferFailed(toFailure(answer.status, error))
  if (typeof token !== 'string') throw new TransferFailed(failure('source_refused', { detail: 'no token' }))
  return { token, endsAt: Date.now() + (Number(lifetimeS) || 0) * 1000 }
}

// RFC 6749, section 5.2: the account does not exist, or the key is not its key.
function toFailure(status: number, error: unknown) {
  const code = typeof error === 'string' ? error.replaceAll('_', '') : undefined
  return judgeAnswer(status, code, { invalidgrant: 'source_unauthorized', invalidclient: 'source_unauthorized' })
}
