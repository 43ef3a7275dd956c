import type { Clock } from '@lathe/runtime'
import type { KeyHolder } from './accounts.ts'

// A revoked key must be refused everywhere within 5 s.
const keptMs = 4000
// 10,000 entries are about 5 MB; when there are more, the oldest goes.
const maxEntries = 10_000

export interface CallerCache {
  find(keyHash: string): Promise<KeyHolder | undefined>
  clear(): void
}

/** Remembers for a few seconds who a key belongs to. Unknown keys are not remembered: one just made works at once. */
export function createCallerCache(
  clock: Clock,
  load: (keyHash: string) => Promise<KeyHolder | undefined>,
): CallerCache {
  const entries = new Map<string, { holder: Promise<KeyHolder | undefined>; until: number }>()

  async function loadAndKeep(keyHash: string): Promise<KeyHolder | undefined> {
    const holder = load(keyHash)
    entries.delete(keyHash)
    entries.set(keyHash, { holder, until: clock.now().getTime() + keptMs })
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest) entries.delete(oldest)
    try {
      const found = await holder
      if (!found) entries.delete(keyHash)
      return found
    } catch (error) {
      entries.delete(keyHash)
      throw error
    }
  }

  return {
    async find(keyHash) {
      const entry = entries.get(keyHash)
      return entry && entry.until > clock.now().getTime() ? entry.holder : loadAndKeep(keyHash)
    },
    clear: () => entries.clear(),
  }
}
