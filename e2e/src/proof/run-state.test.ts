import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { RoundResult } from './run-round.ts'
import { openRun, type RunPlan } from './run-state.ts'

const plan: RunPlan = { tasks: 5_001, faults: 250, seed: 9, tasksPerRound: 2_000, scale: 1, names: ['kill'] }
const result = (n: number) => ({ n, tasks: 1 }) as RoundResult

it('divides tasks and faults among rounds, and resumes after the last recorded one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-run-state-'))
  try {
    const run = await openRun(folder, false, () => plan)
    const sum = (of: 'tasks' | 'faults') => run.roundsLeft().reduce((total, round) => total + round[of], 0)
    expect([run.rounds, sum('tasks'), sum('faults')]).toEqual([3, 5_001, 250])
    await run.note(result(0))
    const again = await openRun(folder, true, () => ({ ...plan, seed: 1 }))
    expect([again.plan, again.results, again.roundsLeft().map(({ n }) => n)]).toEqual([plan, [result(0)], [1, 2]])
    const anew = await openRun(folder, false, () => plan)
    expect(anew.results).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
