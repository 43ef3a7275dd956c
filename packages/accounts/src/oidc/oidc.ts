import { createHash } from 'node:crypto'
import { type Database, insertOidcAttempt, type OidcAttempt, takeOidcAttempt } from '@lathe/database'
import { type AdmitPerson, createAdmission } from './admission.ts'
import type { OidcConfig } from './config.ts'
import { createOidcProvider, newOidcSecret, type ProvidedPerson } from './provider.ts'

/** Signing in through an identity provider. */
export interface Oidc {
  /** The provider's name on the page. */
  readonly name: string
  /** Seconds that somebody has at the provider. */
  readonly attemptS: number
  /** Sends a browser to the provider: what its cookie is to hold, and where it is to go. */
  start(attempt: OidcAttempt): Promise<{ readonly secret: string; readonly url: URL }>
  /** What a cookie has begun: once, and within ten minutes. */
  take(secret: string): Promise<OidcAttempt | undefined>
  /** Who has come back from the provider; throws unless the response is to what this secret began. */
  finish(secret: string, query: string): Promise<ProvidedPerson>
  admit: AdmitPerson
}

type OidcParts = Omit<Parameters<typeof createOidcProvider>[0], 'config'> &
  Parameters<typeof createAdmission>[0] & { readonly database: Pick<Database, 'pool'>; readonly config: OidcConfig }

// Time for a password, a second factor and a consent.
const attemptS = 600

export function createOidc({ database, ...parts }: OidcParts): Oidc {
  const db = database.pool
  const provider = createOidcProvider(parts)
  return {
    name: parts.config.name,
    attemptS,
    async start(attempt) {
      const secret = newOidcSecret()
      const url = await provider.start(secret)
      await insertOidcAttempt(db, { hash: hashOf(secret), ...attempt, lastsS: attemptS })
      return { secret, url }
    },
    take: (secret) => takeOidcAttempt(db, hashOf(secret)),
    finish: provider.finish,
    admit: createAdmission(parts),
  }
}

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
