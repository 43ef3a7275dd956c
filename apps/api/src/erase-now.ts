import { withDeadline } from '@lathe/runtime'
import type { ObjectStore } from '@lathe/storage'
import type { FastifyBaseLogger } from 'fastify'

// The record already says that the files are gone and nobody is handed them; a slow store must not hold the answer.
const deadlineMs = 10_000

/** Erases files right away, as well as it can be done: what is left the scheduler erases. */
export async function eraseNow(
  store: Pick<ObjectStore, 'delete'>,
  keys: readonly string[],
  log: FastifyBaseLogger,
): Promise<void> {
  if (keys.length === 0) return
  try {
    await withDeadline(store.delete(keys), deadlineMs)
  } catch (err) {
    log.warn({ err, count: keys.length }, 'files are left for the scheduler to erase')
  }
}
