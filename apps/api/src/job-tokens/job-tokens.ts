import { createHash, randomBytes } from 'node:crypto'
import { createCallerCache } from '@lathe/accounts'
import { limits, type ParsedJobToken } from '@lathe/contract'
import {
  type Database,
  type Executor,
  findJobToken,
  insertJobToken,
  type JobTokenRecord,
  listJobTokens,
  lockOwner,
  revokeJobToken,
} from '@lathe/database'
import { type IdMint, type ObjectId, Problem } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import type { Caller } from './caller.ts'

/** Tokens that may read one job. */
export interface JobTokens {
  find(token: string): Promise<Caller | undefined>
  /** Creates a token in a transaction; throws a Problem if the job has too many valid tokens. */
  create(tx: Executor, caller: Caller, jobId: ObjectId, wanted: ParsedJobToken): Promise<CreatedToken>
  /** Returns false if the job has no such valid token. */
  revoke(token: { readonly ownerId: ObjectId; readonly jobId: ObjectId; readonly id: ObjectId }): Promise<boolean>
}

/** A new token. Its text is shown once: only its hash is stored. */
export type CreatedToken = JobTokenRecord & { readonly token: string }

interface JobTokenParts {
  readonly database: Pick<Database, 'pool'>
  readonly ids: IdMint
  readonly clock: Clock
}

const prefix = 'lathe_job_'
const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`)
// A plain hash is enough: 256 random bits cannot be guessed.
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function createJobTokens({ database, ids, clock }: JobTokenParts): JobTokens {
  const db = database.pool
  const cache = createCallerCache<Caller>(clock, async ([hash]) => {
    const found = await findJobToken(db, { hash, now: clock.now() })
    return found && toCaller(found)
  })

  return {
    find: async (token) => (pattern.test(token) ? cache.find([hashOf(token)]) : undefined),
    async create(tx, { ownerId, userId, linkGeneration }, jobId, { name, expiresAt }) {
      await refuseTooMany(tx, ownerId, jobId, clock.now())
      const token = prefix + randomBytes(32).toString('base64url')
      const [createdAt, last4] = [clock.now(), token.slice(-4)]
      const kept = { id: ids.next(), jobId, ownerId, userId, name, last4, createdAt, expiresAt }
      return { ...(await insertJobToken(tx, { ...kept, hash: hashOf(token), linkGeneration })), token }
    },
    async revoke(token) {
      const isRevoked = await revokeJobToken(db, token)
      cache.clear()
      return isRevoked
    },
  }
}

function toCaller({ id, ownerId, userId, jobId, linkGeneration }: JobTokenRecord & { linkGeneration: number }): Caller {
  return { keyId: id, ownerId, userId, scopes: new Set(['task.read']), linkGeneration, onlyJob: jobId }
}

/** Locks the owner, so that no token is added while they are counted. */
async function refuseTooMany(tx: Executor, ownerId: ObjectId, jobId: ObjectId, now: Date): Promise<void> {
  await lockOwner(tx, ownerId)
  const all = await listJobTokens(tx, { ownerId, jobId })
  const count = all.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now).length
  if (count < limits.tokensPerJob && all.length < limits.tokensPerJob * 5) return
  const msg = `A job may have ${limits.tokensPerJob} tokens that work, and ${limits.tokensPerJob * 5} in all; this one has ${count} and ${all.length}. Revoke one that is not needed, or run the job again.`
  throw new Problem('invalid_request', { msg })
}
