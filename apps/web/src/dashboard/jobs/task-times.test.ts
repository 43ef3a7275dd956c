import type { Task } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { timesOf } from './task-times.ts'

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

  it('go on until now while it waits for a worker, or runs', () => {
    expect(timesOf(task('a', {}), [], now)).toMatchObject({ startedAt: ms(30), endedAt: ms(30), hasEnded: false })
    expect(timesOf(task('a', { startedAt: at(7) }), [], now)).toMatchObject({ startedAt: ms(7), endedAt: ms(30) })
  })

  it('of a task that failed with its input are of no length', () => {
    const a = task('a', { startedAt: at(1), endedAt: at(4) })
    const b = task('b', { endedAt: at(4) }, 'a')
    expect(timesOf(b, [a, b], now)).toMatchObject({ readyAt: ms(4), startedAt: ms(4), endedAt: ms(4) })
  })
})
