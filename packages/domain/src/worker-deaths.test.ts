import { describe, expect, it } from 'vitest'
import type { Lane } from './lanes.ts'
import { afterWorkerDeath, type Orphan } from './retry.ts'

interface Simulated {
  readonly isKiller: boolean
  doing: Orphan['doing']
  lane: Lane
  deaths: number
  /** Rounds until its engine finishes, or kills the worker. */
  left: number
}

const workers = 8
const engines = 4

/** A repeatable sequence of pseudo-random numbers from 0 to 1. */
function createChance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A worker of the simulation takes one task that must be alone, or as many others as it has engines. */
function takeInto(held: Simulated[], queues: Readonly<Record<'alone' | 'shared', Simulated[]>>): void {
  if (held.some(({ lane }) => lane === 'alone')) return
  if (held.length === 0 && queues.alone.length > 0) held.push(...queues.alone.splice(0, 1))
  else held.push(...queues.shared.splice(0, engines - held.length))
}

function simulate(tasks: readonly Simulated[], chance: () => number) {
  const queues = { shared: [...tasks], alone: [] as Simulated[] }
  const fleet = Array.from({ length: workers }, (): Simulated[] => [])
  const failed: Simulated[] = []
  let deaths = 0

  function die(held: Simulated[]): void {
    deaths += 1
    for (const task of held.splice(0)) {
      const verdict = afterWorkerDeath({ deathsBefore: task.deaths, doing: task.doing, lane: task.lane })
      if (verdict.kind === 'give-up') {
        failed.push(task)
        continue
      }
      if (verdict.isBlamed) task.deaths += 1
      task.lane = verdict.lane
      task.left = 1 + Math.floor(chance() * 6)
      queues[task.lane === 'alone' ? 'alone' : 'shared'].push(task)
    }
  }

  while (queues.shared.length > 0 || queues.alone.length > 0 || fleet.some(({ length }) => length > 0)) {
    for (const held of fleet) {
      takeInto(held, queues)
      for (const task of held) task.left -= 1
      if (held.some(({ isKiller, left }) => isKiller && left <= 0)) die(held)
      else held.splice(0, held.length, ...held.filter(({ left }) => left > 0))
    }
  }
  return { failed, deaths }
}

describe('R5: ten thousand tasks of which one in a hundred kills its worker', () => {
  it.each([1, 2, 3])('fail for the killers and for nobody else (seed %i)', (seed) => {
    const chance = createChance(seed)
    const tasks = Array.from({ length: 10_000 }, (): Simulated => {
      const doing = chance() < 0.2 ? 'carry' : 'engine'
      const isKiller = doing === 'engine' && chance() < 0.0125
      return { isKiller, doing, lane: 'quick', deaths: 0, left: 1 + Math.floor(chance() * 6) }
    })
    const killers = tasks.filter(({ isKiller }) => isKiller)
    const { failed, deaths } = simulate(tasks, chance)
    expect(killers.length).toBeGreaterThan(80)
    expect(failed.filter(({ isKiller }) => !isKiller)).toEqual([])
    expect(failed.length).toBe(killers.length)
    // One death may be blamed on several killers, but each then kills one more worker alone.
    expect(deaths).toBeLessThanOrEqual(2 * killers.length)
  })
})
