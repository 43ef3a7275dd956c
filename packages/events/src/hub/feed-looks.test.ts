import type { ObjectId } from '@lathe/domain'
import { silentLog } from '@lathe/runtime'
import { createTestClock } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import type { EventSource } from '../event-source.ts'
import { createHub } from './hub.ts'

/** Feeds of owners, one of them large, over a log without events that counts what it is asked. */
async function createScene(others: number) {
  const clock = createTestClock(new Date('2026-01-01T12:00:00Z'))
  const asked = { changed: 0, newest: 0, large: 0 }
  let answerLarge = async (): Promise<readonly ObjectId[]> => []
  const source = {
    read: async () => [],
    tell: async () => new Map(),
    renderProgress: async () => new Map(),
    heads: async () => new Map(),
    newest: async () => {
      asked.newest += 1
      return []
    },
    changed: async ({ ownerId }: { ownerId: ObjectId }) => {
      asked[ownerId === 'large' ? 'large' : 'changed'] += 1
      return ownerId === 'large' ? answerLarge() : []
    },
  } as unknown as EventSource
  const hub = createHub({ source, clock, log: silentLog })
  const caughtUp = new Map<string, number>()
  for (const ownerId of ['large', ...Array.from({ length: others }, (_, n) => `owner ${n}`)]) {
    const note = (at: Date) => void caughtUp.set(ownerId, at.getTime())
    await hub.watchFeed({ ownerId, kind: 'all' }, { room: () => 10, take() {}, caughtUp: note } as never)
  }
  Object.assign(asked, { changed: 0, newest: 0, large: 0 })
  return {
    hub,
    asked,
    setLarge(answer: typeof answerLarge) {
      answerLarge = answer
    },
    async tick(times: number) {
      for (let n = 0; n < times; n += 1) {
        clock.advance(1000)
        await hub.tick()
      }
    },
    behindMs: (ownerId: string) => clock.now().getTime() - (caughtUp.get(ownerId) ?? 0),
  }
}

describe('a feed whose day takes longer than a statement may', () => {
  const fail = async () => {
    throw new Error('canceling statement due to statement timeout')
  }

  it('is checked again with growing pauses, and no other feed more often than before', async () => {
    const { asked, setLarge, tick, behindMs } = await createScene(50)
    setLarge(fail)
    await tick(121)
    // Once in 30 s each.
    expect(asked.changed).toBe(50 * 4)
    expect(asked.large).toBeGreaterThan(2)
    expect(asked.large).toBeLessThan(10)
    // The newest of it are still checked every second.
    expect(asked.newest).toBeGreaterThan(51 * 110)
    setLarge(async () => [])
    await tick(130)
    expect(behindMs('large')).toBeLessThan(31_000)
  })

  it('delays no other feed', async () => {
    const { hub, asked, setLarge, tick, behindMs } = await createScene(3)
    const { promise, resolve } = Promise.withResolvers<readonly ObjectId[]>()
    await tick(30)
    setLarge(() => promise)
    // Not awaited: it ends with the large feed.
    const slow = tick(1)
    await tick(31)
    expect(behindMs('owner 0')).toBeLessThan(31_000)
    expect(asked.large).toBe(1)
    resolve([])
    await slow
    await hub.tick()
    expect(behindMs('large')).toBeLessThan(33_000)
  })
})
