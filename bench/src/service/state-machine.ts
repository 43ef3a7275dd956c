import { randomBytes } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'
import type { Caller } from '@lathe/orchestrator'
import { consume, type Entry } from '@lathe/queue'
import { silentLog } from '@lathe/runtime'
import { rateOf } from '../parts/lanes.ts'
import { atLeast, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareQueueRate } from './bare-queue.ts'
import { commitRate } from './commit-rate.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

const rounds = 5
const tasks = 600
const warmTasks = 400
/** Tasks under way at once, over all owners. */
const width = 48
const share = 0.4

/** Tasks that do nothing, created, queued, claimed and completed, beside what PostgreSQL and BullMQ can do alone. */
export async function measureStateMachine(): Promise<readonly Measure[]> {
  const prefix = `bench-${randomBytes(6).toString('hex')}`
  await using bench = await createWorkbench(prefix)
  await using runner = await startNoOps(bench)
  await runner.rate(warmTasks)
  const before = bench.commits()
  const rates = { machine: [] as number[], queue: [] as number[], commit: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.commit.push(await commitRate(bench.database))
    rates.queue.push(await bareQueueRate(bench.queue))
    rates.machine.push(await runner.rate(tasks))
    say(
      `no-op, round ${round + 1} of ${rounds}: ${rates.machine.at(-1)?.toFixed(0)} tasks/s beside ${rates.commit.at(-1)?.toFixed(0)} commits/s`,
    )
  }
  const commits = (bench.commits() - before) / (rounds * tasks)
  const rate = { machine: median(rates.machine), queue: median(rates.queue), commit: median(rates.commit) }
  say(
    `no-op tasks: ${rate.machine.toFixed(0)}/s with ${commits.toFixed(2)} commits each; ` +
      `PostgreSQL alone ${rate.commit.toFixed(0)} commits/s, BullMQ alone ${rate.queue.toFixed(0)} entries/s`,
  )
  return [
    figure('commit_rate', rate.commit, 'commits/s'),
    figure('commits_per_task', commits, 'commits'),
    figure('bare_queue_rate', rate.queue, 'entries/s'),
    atLeast('noop_tasks', rate.machine, 'tasks/s', (share * rate.commit) / commits),
    atLeast('noop_tasks_against_commit_rate', (rate.machine * commits) / rate.commit, 'ratio', share),
    figure('noop_tasks_against_bare_queue', rate.machine / rate.queue, 'ratio'),
  ]
}

async function startNoOps(bench: Workbench) {
  const { desk, orchestrator, callers, ids, queue } = bench
  const workerId = ids.next()
  await desk.register({ id: workerId, host: 'bench', pools: ['transfer', 'process'], sandboxLevel: 0 })
  const waiting = new Map<ObjectId, () => void>()

  async function run({ task, attempt }: Entry): Promise<void> {
    const fence = { taskId: task, attempt, workerId }
    if (!(await desk.claim(fence))) throw new Error(`task ${task} could not be claimed`)
    const end = await desk.complete(fence, { files: [], warnings: [] })
    if (end !== 'written') throw new Error(`task ${task} was refused`)
    waiting.get(task)?.()
    waiting.delete(task)
  }

  async function createAndWait(caller: Caller): Promise<void> {
    const id = ids.next()
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(id, resolve)
    await orchestrator.createTask(caller, { id, name: 'no-op', operation: 'import/url', payload: {}, inputs: [] })
    await promise
  }

  const consumer = consume(queue, { pools: ['transfer'], concurrency: width, run, log: silentLog })
  const callerOf = (i: number) => callers[i % callers.length] as Caller
  return {
    rate: (count: number) => rateOf(count, width, (i) => createAndWait(callerOf(i))),
    [Symbol.asyncDispose]: () => consumer[Symbol.asyncDispose](),
  }
}
