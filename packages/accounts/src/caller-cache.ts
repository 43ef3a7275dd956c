import type { Clock } from '@lathe/runtime'
import type { KeyHolder } from './accounts.ts'

// A revoked key must be rejected everywhere within 5 s.
const keptMs = 4000
// 10,000 entries take about 5 MB; beyond that, the oldest is removed.
const maxEntries = 10_000

/** A key's hash with the current secret, and those with the other accepted secrets. */
export type KeyHashes = readonly [string, ...string[]]

export interface CallerCache<T extends KeyHolder = KeyHolder> {
  find(hashes: KeyHashes): Promise<T | undefined>
  clear(): void
}

/** Caches the holder of a key for a few seconds. Unknown keys are not cached: a new one works immediately. */
export function createCallerCache<T extends KeyHolder = KeyHolder>(
  clock: Clock,
  load: (hashes: KeyHashes) => Promise<T | undefined>,
): CallerCache<T> {
  const entries = new Map<string, { holder: Promise<T | undefined>; until: number }>()

  async function loadAndKeep(hashes: KeyHashes): Promise<T | undefined> {
    const [keyHash] = hashes
    const holder = load(hashes)
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
    async find(hashes) {
      const entry = entries.get(hashes[0])
      return entry && entry.until > clock.now().getTime() ? entry.holder : loadAndKeep(hashes)
    },
    clear: () => entries.clear(),
  }
}
