import { type Executor, keepAnswer, lockAnswer } from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { Caller, Context } from './context.ts'

/** The caller's own key for a request, and how its answer will look when it is repeated. */
export interface Idempotency<T> {
  readonly key: string
  /** SHA-256 of what was asked, as hex. */
  readonly requestHash: string
  render(record: T): { readonly status: number; readonly body: unknown }
}

export type Answer<T> =
  | { readonly kind: 'fresh'; readonly record: T }
  | { readonly kind: 'replayed'; readonly status: number; readonly body: unknown }

/** Does the work once per key; a repeated request gets the answer of the first, another request under the same key is refused. */
export async function oncePerKey<T>(
  tx: Executor,
  { clock }: Pick<Context, 'clock'>,
  { ownerId }: Caller,
  idempotency: Idempotency<T> | undefined,
  work: () => Promise<T>,
): Promise<Answer<T>> {
  if (!idempotency) return { kind: 'fresh', record: await work() }
  const { key, requestHash } = idempotency
  const scope = { ownerId, key, now: clock.now() }
  const kept = await lockAnswer(tx, scope)
  if (kept && kept.requestHash !== requestHash) throw new Problem('idempotency_conflict')
  if (kept) return { kind: 'replayed', status: kept.status, body: kept.body }
  const record = await work()
  await keepAnswer(tx, scope, { requestHash, ...idempotency.render(record) })
  return { kind: 'fresh', record }
}
