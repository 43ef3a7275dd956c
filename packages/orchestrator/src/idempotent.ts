import { type Executor, keepRequest, lockRequest } from '@lathe/database'
import { type ObjectId, Problem } from '@lathe/domain'
import type { Caller, Context } from './context.ts'

/** The caller's own key for a request. */
export interface Idempotency {
  readonly key: string
  /** SHA-256 of what was asked, as hex. */
  readonly requestHash: string
}

/** What a request has made, or the id of what the first of several same requests had made. */
export type Answer<T> =
  | { readonly kind: 'fresh'; readonly record: T }
  | { readonly kind: 'replayed'; readonly id: ObjectId }

/** Does the work once per key; a repeated request is told what the first one made, another request under the same key is refused. */
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
