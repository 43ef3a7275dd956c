import { type Database, findUnreferenced, type ObjectOfTask } from '@lathe/database'
import { createdAtOf } from '@lathe/domain'
import type { Clock } from '@lathe/runtime'
import { isCheckKey, type ListedObject, type ObjectStore, readKey } from '@lathe/storage'

interface Parts {
  readonly database: Pick<Database, 'pool'>
  readonly store: Pick<ObjectStore, 'list' | 'listPrefixes' | 'delete'>
  readonly clock: Clock
  /** Younger objects may belong to a request whose task is not committed yet. */
  readonly minAgeMs: number
}

/**
 * Deletes objects that nothing refers to: what a process had stored when it died, the results that a fence refused, and
 * contents of requests that were imported. Without this they would take up space for four hours. Each call looks
 * through one five-minute prefix, the one that was not visited for longest.
 */
export function createUnreferencedObjects({ database, store, clock, minAgeMs }: Parts): { erase(): Promise<number> } {
  const revisitMs = minAgeMs / 2
  let visits = new Map<string, number>()

  function findDue(prefixes: readonly string[], now: number): string | undefined {
    const old = prefixes.filter((prefix) => Number(prefix) * 1000 + minAgeMs <= now)
    // Those not visited yet come first, in any order: if the leader changes often, each prefix still gets its turn.
    visits = new Map(old.map((prefix) => [prefix, visits.get(prefix) ?? -Math.random()]))
    const [next] = [...visits].sort(([, one], [, other]) => one - other)
    return next && next[1] + revisitMs <= now ? next[0] : undefined
  }

  async function eraseOf(page: readonly ListedObject[], before: number): Promise<number> {
    const old = page.filter(({ writtenAt }) => writtenAt.getTime() <= before)
    const ofTasks = old.flatMap(({ key }): ObjectOfTask[] => {
      const found = readKey(key)
      // The clocks of the store and of PostgreSQL may differ, so the task must be old too.
      return found && createdAtOf(found.taskId).getTime() <= before ? [{ key, ...found }] : []
    })
    const unreferenced = ofTasks.length > 0 ? await findUnreferenced(database.pool, ofTasks) : []
    // Keys of any other form may be those of a newer version.
    const keys = [...unreferenced, ...old.map(({ key }) => key).filter(isCheckKey)]
    if (keys.length > 0) await store.delete(keys)
    return keys.length
  }

  return {
    async erase() {
      const now = clock.now().getTime()
      const prefix = findDue(await store.listPrefixes(), now)
      if (prefix === undefined) return 0
      // Noted before the visit: one that fails must not keep the others from their turns.
      visits.set(prefix, now)
      let count = 0
      const errors: unknown[] = []
      for await (const page of store.list(`${prefix}/`)) {
        count += await eraseOf(page, now - minAgeMs).catch((error: unknown) => {
          errors.push(error)
          return 0
        })
      }
      if (errors.length > 0) throw errors[0]
      return count
    },
  }
}
