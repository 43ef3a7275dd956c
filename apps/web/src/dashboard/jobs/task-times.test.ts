import type { Task } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { phasesOf, timesOf } from './task-times.ts'

const at = (second: number) => `2026-01-31T12:00:${String(second).padStart(2, '0')}.000Z`
const ms = (second: number) => Date.parse(at(second))
const now = new Date(at(30))
const made = { createdAt: at(0), startedAt: null, endedAt: null }
const task = (id: string, times: object, ...dependsOn: string[]) =>
  ({ ...made, id, dependsOn, ...times }) as unknown as Task

describe('the times of a task', () => {
  it('begin when the last of its inputs has ended', () => {
    const a = task('a', { startedAt: at(1), endedAt: at(4) })
    const b = task('b', { startedAt: at(5), endedAt: at(9) }, 'a')
    expect(timesOf(b, [a, b], now)).toEqual({ readyAt: ms(4), startedAt: ms(5), endedAt: ms(9), hasEnded: true })
  })

  it('are unknown while it waits for another', () => {
    const a = task('a', { startedAt: at(1) })
    expect(timesOf(task('b', {}, 'a'), [a], now)).toBeUndefined()
  })

  it('continue until now while it waits for a worker, or runs', () => {
    expect(timesOf(task('a', {}), [], now)).toMatchObject({ startedAt: ms(30), endedAt: ms(30), hasEnded: false })
    expect(timesOf(task('a', { startedAt: at(7) }), [], now)).toMatchObject({ startedAt: ms(7), endedAt: ms(30) })
  })

  it('of a task that failed with its input are of no length', () => {
    const a = task('a', { startedAt: at(1), endedAt: at(4) })
    const b = task('b', { endedAt: at(4) }, 'a')
    expect(timesOf(b, [a, b], now)).toMatchObject({ readyAt: ms(4), startedAt: ms(4), endedAt: ms(4) })
  })
})

describe('the phases of the work on a task', () => {
  const lane = { readyAt: ms(0), startedAt: ms(1), endedAt: ms(5), hasEnded: true }
  const lengths = (times?: object) =>
    phasesOf(task('a', { times }), lane).map(({ kind, from, to }) => [kind, from - ms(1), to - ms(1)])

  it('follow each other from its start', () => {
    expect(lengths({ queueMs: 1000, fetchMs: 500, engineMs: 3000, storeMs: 200 })).toEqual([
      ['fetch', 0, 500],
      ['engine', 500, 3500],
      ['store', 3500, 3700],
    ])
  })

  it('do not go beyond its end', () => {
    expect(lengths({ queueMs: 0, fetchMs: 2000, engineMs: 4000, storeMs: 2000 })).toEqual([
      ['fetch', 0, 1000],
      ['engine', 1000, 3000],
      ['store', 3000, 4000],
    ])
  })

  it('are none where nothing was measured', () => {
    expect(lengths()).toEqual([])
    expect(lengths({ queueMs: 0, fetchMs: 0, engineMs: 0, storeMs: 0 })).toEqual([
      ['fetch', 0, 0],
      ['engine', 0, 0],
      ['store', 0, 0],
    ])
  })
})
