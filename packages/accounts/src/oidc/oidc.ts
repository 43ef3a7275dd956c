import { createHash } from 'node:crypto'
import { type Database, insertOidcAttempt, type OidcAttempt, takeOidcAttempt } from '@lathe/database'
import { type AdmitPerson, createAdmission } from './admission.ts'
import type { OidcConfig } from './config.ts'
import { createOidcProvider, newOidcSecret, type ProvidedPerson } from './provider.ts'

/** Signing in through an identity provider. */
export interface Oidc {
  /** The provider's name on the page. */
  readonly name: string
  /** How many seconds a sign-in at the provider may take. */
  readonly attemptS: number
  /** Starts a sign-in: returns the secret for the browser's cookie, and the URL of the provider. */
  start(attempt: OidcAttempt): Promise<{ readonly secret: string; readonly url: URL }>
  /** The attempt of a cookie: once, and within ten minutes. */
  take(secret: string): Promise<OidcAttempt | undefined>
  /** The person who came back from the provider; throws unless the response belongs to this secret. */
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
