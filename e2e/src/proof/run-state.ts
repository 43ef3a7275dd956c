import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaultName } from './faults/fault.ts'
import type { RoundResult } from './run-round.ts'

/** The plan of a run. */
export interface RunPlan {
  readonly tasks: number
  readonly faults: number
  readonly seed: number
  readonly tasksPerRound: number
  readonly scale: number
  readonly names: readonly FaultName[]
}

/** A run that can be stopped after any round and continued. */
export interface Run {
  readonly plan: RunPlan
  readonly rounds: number
  readonly results: readonly RoundResult[]
  /** The remaining rounds with their share of tasks and faults. */
  roundsLeft(): readonly { readonly n: number; readonly tasks: number; readonly faults: number }[]
  note(result: RoundResult): Promise<void>
}

/** Continues the run in a folder, or starts a new one. */
export async function openRun(folder: string, isContinued: boolean, begin: () => RunPlan): Promise<Run> {
  const [planFile, resultFile] = [join(folder, 'plan.json'), join(folder, 'results.jsonl')]
  if (!isContinued) await Promise.all([planFile, resultFile].map((file) => rm(file, { force: true })))
  const known = await readFile(planFile, 'utf8').catch(() => undefined)
  const plan: RunPlan = known === undefined ? begin() : JSON.parse(known)
  if (known === undefined) await writeFile(planFile, JSON.stringify(plan))
  const written = await readFile(resultFile, 'utf8').catch(() => '')
  // An incomplete line comes from a run that was killed while writing.
  const results: RoundResult[] = written
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const rounds = Math.max(1, Math.ceil(plan.tasks / plan.tasksPerRound))
  const share = (total: number, n: number) => Math.floor((total * (n + 1)) / rounds) - Math.floor((total * n) / rounds)
  return {
    plan,
    rounds,
    results,
    roundsLeft() {
      const done = new Set(results.map(({ n }) => n))
      const all = Array.from({ length: rounds }, (_, n) => ({
        n,
        tasks: share(plan.tasks, n),
        faults: share(plan.faults, n),
      }))
      return all.filter(({ n }) => !done.has(n))
    },
    async note(result) {
      results.push(result)
      await appendFile(resultFile, `${JSON.stringify(result)}\n`)
    },
  }
}
