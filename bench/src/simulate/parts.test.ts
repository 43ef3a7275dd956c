import { expect, it } from 'vitest'
import { createEngineWorkers } from './engine-workers.ts'
import { createHeap } from './heap.ts'
import { createHunger } from './hunger.ts'
import { createOwnerSlots } from './owner-slots.ts'
import { cellOf } from './route.ts'
import { createVirtualClock } from './virtual-clock.ts'
import { createWaitTimes } from './wait-times.ts'

it('a heap gives things in the order of their keys, and equal ones as they came', () => {
  const heap = createHeap<string>()
  for (const [key, value] of [
    [3, 'd'],
    [1, 'a'],
    [2, 'c'],
    [1, 'b'],
    [5, 'e'],
  ] as const)
    heap.add(key, value)
  expect(Array.from({ length: 6 }, () => heap.take())).toEqual(['a', 'b', 'c', 'd', 'e', undefined])
})

it('a clock lets things happen at their time, and what comes of them', () => {
  const clock = createVirtualClock()
  const seen: number[] = []
  clock.at(20, () => seen.push(clock.now))
  clock.at(10, () => clock.at(15, () => seen.push(clock.now)))
  clock.run()
  expect(seen).toEqual([15, 20])
})

it('quantiles are right to within a twentieth', () => {
  const waits = createWaitTimes()
  for (let ms = 1; ms <= 10_000; ms += 1) waits.add(ms)
  for (const share of [0.5, 0.95, 0.99]) expect(waits.quantile(share) / (share * 10_000)).toBeCloseTo(1, 1)
  expect(waits.quantile(1)).toBe(10_000)
})

it('a lost cell gives its owners to all others, and moves nobody else', () => {
  const cells = [0, 1, 2, 3, 4]
  const left = [0, 1, 3, 4]
  const owners = Array.from({ length: 1_000 }, (_, n) => `o${n}`)
  const moved = owners.filter((owner) => cellOf(owner, cells) !== cellOf(owner, left))
  expect(moved.every((owner) => cellOf(owner, cells) === 2)).toBe(true)
  expect(moved.length / owners.length).toBeCloseTo(0.2, 1)
  expect(new Set(moved.map((owner) => cellOf(owner, left)))).toEqual(new Set(left))
})

it('an owner has no more tasks queued than it has slots, and its oldest get the next', () => {
  const slots = createOwnerSlots('o', 2)
  const order: string[] = []
  const task = (id: string, age: number) => ({ id, age, dispatch: (rank: number) => order.push(`${id} ${rank}`) })
  for (const [id, age] of [
    ['a', 1],
    ['b', 2],
    ['d', 4],
    ['c', 3],
  ] as const)
    slots.settle(0, task(id, age))
  expect(order).toEqual(['a 1', 'b 2'])
  slots.settle(1)
  expect(order).toEqual(['a 1', 'b 2', 'c 2'])
})

it('hunger is the time with work and none of it in hand', () => {
  const hunger = createHunger()
  hunger.ready('o', 0)
  hunger.started('o', 100)
  hunger.ready('o', 150)
  hunger.ended('o', 400)
  hunger.started('o', 900)
  expect(hunger.worst).toEqual({ ownerId: 'o', ms: 500 })
})

it('an owner with one task does not wait for one that has hundreds', () => {
  const clock = createVirtualClock()
  const workers = createEngineWorkers(clock, { count: 1, engines: { engines: 4, longMost: 3, most: 16 } })
  let startedAt = Number.POSITIVE_INFINITY
  const task = (ownerId: string, rank: number, started = () => {}) =>
    workers.add({ ownerId, lane: 'quick', engineMs: 500, rank, started, ended: () => {} })
  for (let n = 1; n <= 200; n += 1) task('loud', n)
  clock.at(1_000, () =>
    task('quiet', 1, () => {
      startedAt = clock.now
    }),
  )
  clock.run()
  expect(startedAt - 1_000).toBeLessThanOrEqual(500)
  expect(workers.usedMs).toBe(201 * 500)
})
