import { createMetrics } from '@lathe/runtime'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchEngineRoot } from './engine-root-watch.ts'

const dayMs = 86_400_000
const upToDateAt = new Date('2026-01-01T00:00:00Z')

beforeEach(() => void vi.useFakeTimers({ now: upToDateAt }))
afterEach(() => void vi.useRealTimers())

/** The ages in the warnings logged within this many days. */
function warnedOf(maxDays: number, withinDays: number): number[] {
  const ages: number[] = []
  const log = { warn: (fields: object) => void ages.push((fields as { days: number }).days) }
  using _watch = watchEngineRoot({ name: 'root', path: '/nowhere', upToDateAt, maxDays, log, metrics: createMetrics() })
  vi.advanceTimersByTime(withinDays * dayMs)
  return ages
}

describe('S6: an engine root', () => {
  it('causes a warning every day once it is older than its operator allows', () => {
    expect(warnedOf(35, 35)).toEqual([])
    vi.setSystemTime(upToDateAt)
    expect(warnedOf(35, 38)).toEqual([36, 37, 38])
  })

  it('causes a warning at once when a worker starts with an old one', () => {
    vi.setSystemTime(new Date(upToDateAt.getTime() + 90 * dayMs))
    expect(warnedOf(35, 0)).toEqual([90])
  })

  it('causes no warning with a limit of 0', () => {
    expect(warnedOf(0, 400)).toEqual([])
  })
})
