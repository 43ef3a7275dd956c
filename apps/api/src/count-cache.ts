import type { CountCache } from '@lathe/database'
import type { Clock } from '@lathe/runtime'

const keptMs = 5_000
// Counting a million rows takes seconds (docs/scaling.md). Smaller totals are counted each time, so they are always
// exact.
const leastKept = 10_000
const mostKeys = 1_000

/**
 * Caches large totals of lists for five seconds, so that paging through a million rows does not count them for every
 * page.
 */
export function createCountCache({ now }: Pick<Clock, 'now'>): CountCache {
  const kept = new Map<string, { readonly total: number; readonly until: number }>()
  return async (key, count) => {
    const known = kept.get(key)
    if (known && known.until > now().getTime()) return known.total
    kept.delete(key)
    const total = await count()
    if (total >= leastKept) {
      const [oldest] = kept.keys()
      if (kept.size >= mostKeys && oldest !== undefined) kept.delete(oldest)
      kept.set(key, { total, until: now().getTime() + keptMs })
    }
    return total
  }
}
