import { useEffect, useState } from 'react'
import { expiryOf } from './expiry.ts'
import type { Item } from './item.ts'

// Longer timers fire immediately.
const longestMs = 2 ** 31 - 1
// Timers may fire a little early.
const marginMs = 50

/** The current time, updated when the next of these results expires. */
export function useExpiry(items: readonly Item[]): number {
  const [now, setNow] = useState(Date.now)
  const next = items.reduce((soonest, item) => {
    const at = expiryOf(item)
    return at !== undefined && at > now ? Math.min(soonest, at) : soonest
  }, Number.POSITIVE_INFINITY)
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const ms = Math.min(longestMs, Math.max(0, next - Date.now()) + marginMs)
    const timer = setTimeout(() => setNow(Date.now()), ms)
    return () => clearTimeout(timer)
  }, [next])
  return now
}
