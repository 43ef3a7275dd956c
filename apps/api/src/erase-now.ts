import { withDeadline } from '@lathe/runtime'
import type { ObjectStore } from '@lathe/storage'
import type { FastifyBaseLogger } from 'fastify'

// The database already marks the files as deleted and no client can get them; a slow store must not delay the answer.
const deadlineMs = 10_000

/** Tries to erase files right away; the scheduler erases the rest. */
export async function eraseNow(
  store: Pick<ObjectStore, 'delete'>,
  keys: readonly string[],
  log: FastifyBaseLogger,
): Promise<void> {
  if (keys.length === 0) return
  try {
    await withDeadline(store.delete(keys), deadlineMs)
  } catch (err) {
    log.warn({ err, count: keys.length }, 'files not deleted, left to the scheduler')
  }
}
