import { findSealed, replaceSeal } from '@lathe/database'
import { firstIdAt, oldestShownAt } from '@lathe/domain'
import { type Sealer, SealingKeyMissing } from '@lathe/runtime'
import type { Context } from './context.ts'

const batch = 500

/**
 * Seals anew what older keys have sealed, so that those can be taken away. What cannot be opened stays as it is:
 * the key may only be missing here.
 */
export async function resealSecrets({ database, clock, log }: Context, sealer: Sealer): Promise<number> {
  let resealed = 0
  let unreadable = 0
  for (let after = firstIdAt(oldestShownAt(clock.now())); ; ) {
    const found = await findSealed(database.pool, { after, limit: batch })
    for (const task of found.filter(({ sealed }) => !sealer.isCurrent(sealed))) {
      const text = tryToOpen(sealer, task)
      if (text === undefined) unreadable += 1
      else {
        await replaceSeal(database.pool, task, sealer.seal(text, task.id))
        resealed += 1
      }
    }
    const last = found.at(-1)
    if (!last || found.length < batch) break
    after = last.id
  }
  if (unreadable > 0)
    log.error({ count: unreadable }, 'tasks are sealed with keys that LATHE_SEALING_SECRETS does not hold')
  return resealed
}

function tryToOpen(sealer: Sealer, { id, sealed }: { id: string; sealed: string }): string | undefined {
  try {
    return sealer.open(sealed, id)
  } catch (error) {
    if (error instanceof SealingKeyMissing) return undefined
    throw error
  }
}
