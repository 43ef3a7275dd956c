import { type Executor, keepRequest, lockRequest } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Caller, Context } from './context.ts'

/** The caller's key for a request. */
export interface Idempotency {
  readonly key: string
  /** SHA-256 of the request, in hex. */
  readonly requestHash: string
}

/** What a request created, or the id of what the first of several identical requests created. */
export type Answer<T> =
  | { readonly kind: 'fresh'; readonly record: T }
  | { readonly kind: 'replayed'; readonly id: ObjectId }

/**
 * Does the work once per key. A repeated request gets what the first one created; a different request with the same key
 * is rejected.
 */
export async function oncePerKey<T extends { readonly id: ObjectId }>(
  tx: Executor,
  { clock }: Pick<Context, 'clock'>,
  { ownerId }: Caller,
  idempotency: Idempotency | undefined,
  work: () => Promise<T>,
): Promise<Answer<T>> {
  if (!idempotency) return { kind: 'fresh', record: await work() }
  const { key, requestHash } = idempotency
  const scope = { ownerId, key, now: clock.now() }
  const kept = await lockRequest(tx, scope)
  if (kept && kept.requestHash !== requestHash) throw new Problem('idempotency_conflict')
  if (kept) return { kind: 'replayed', id: kept.subjectId }
  const record = await work()
  await keepRequest(tx, scope, { requestHash, subjectId: record.id })
  return { kind: 'fresh', record }
}
