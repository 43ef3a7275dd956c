import { randomBytes } from 'node:crypto'
import type { ObjectId } from '@lathe/domain'
import type { Caller } from '@lathe/orchestrator'
import { consume, type Entry, gatesOf } from '@lathe/queue'
import { silentLog } from '@lathe/runtime'
import { inLanes, rateOf } from '../parts/lanes.ts'
import { atMost, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareQueueRate } from './bare-queue.ts'
import { commitRate } from './commit-rate.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

const rounds = 5
const tasks = 600
const warmTasks = 400
/** Concurrent tasks over all owners. */
const width = 48
const backlog = 10_000
/**
 * Maximum CPU time of a task in milliseconds, over all processes, so that a busy machine does not change the figure.
 */
const mostCpuMs = 4

/**
 * The cost of tasks without work when they are created, queued, claimed and completed: CPU time of this process,
 * PostgreSQL and Redis. The rate compared with PostgreSQL and BullMQ alone is a figure without a goal.
 */
export async function measureStateMachine(): Promise<readonly Measure[]> {
  const prefix = `bench-${randomBytes(6).toString('hex')}`
  await using bench = await createWorkbench(prefix)
  await using runner = await startNoOps(bench)
  const many = (i: number) => bench.callers[i % bench.callers.length] as Caller
  await runner.inTurn(warmTasks, many)
  const before = bench.commits()
  const seen = { machine: [] as number[], queue: [] as number[], commit: [] as number[], cpu: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    seen.commit.push(await commitRate(bench.database))
    seen.queue.push(await bareQueueRate(bench.queue))
    const { rate, cpuMs } = await runner.inTurn(tasks, many)
    seen.machine.push(rate)
    seen.cpu.push(cpuMs)
    say(
      `no-op, round ${round + 1} of ${rounds}: ${rate.toFixed(0)} tasks/s for ${cpuMs.toFixed(2)} ms of CPU each, beside ${seen.commit.at(-1)?.toFixed(0)} commits/s`,
    )
  }
  const commits = (bench.commits() - before) / (rounds * tasks)
  const alone = await bench.addOwner()
  const single = await runner.inTurn(tasks * 2, () => alone)
  const busy = await runner.behindBacklog(tasks, await bench.addOwner())
  const rate = { machine: median(seen.machine), queue: median(seen.queue), commit: median(seen.commit) }
  say(
    `no-op tasks: ${rate.machine.toFixed(0)}/s with ${commits.toFixed(2)} commits each; ` +
      `PostgreSQL alone ${rate.commit.toFixed(0)} commits/s, BullMQ alone ${rate.queue.toFixed(0)} entries/s`,
  )
  return [
    figure('commit_rate', rate.commit, 'commits/s'),
    figure('commits_per_task', commits, 'commits'),
    figure('bare_queue_rate', rate.queue, 'entries/s'),
    figure('noop_tasks', rate.machine, 'tasks/s'),
    figure('noop_tasks_against_commit_rate', (rate.machine * commits) / rate.commit, 'ratio'),
    figure('noop_tasks_against_bare_queue', rate.machine / rate.queue, 'ratio'),
    atMost('noop_cpu', median(seen.cpu), 'ms/task', mostCpuMs),
    atMost('noop_cpu_one_owner', single.cpuMs, 'ms/task', mostCpuMs),
    atMost('noop_cpu_behind_backlog', busy, 'ms/task', mostCpuMs),
  ]
}

async function startNoOps(bench: Workbench) {
  const { desk, orchestrator, ids, queue } = bench
  const workerId = ids.next()
  await desk.register({ id: workerId, host: 'bench', pools: ['transfer', 'process'], sandboxLevel: 0 })
  const waiting = new Map<ObjectId, () => void>()
  let onEnd: (() => void) | undefined
  let gate: Promise<void> | undefined

  async function run({ task, attempt }: Entry): Promise<void> {
    await gate
    const fence = { taskId: task, attempt, workerId }
    const claim = await desk.claim(fence)
    if (!claim) throw new Error(`task ${task} could not be claimed`)
    const end = await desk.complete(fence, { files: [], warnings: [] }, claim.standing)
    if (end !== 'written') throw new Error(`task ${task} was refused`)
    waiting.get(task)?.()
    waiting.delete(task)
    onEnd?.()
  }

  async function create(caller: Caller, id = ids.next()): Promise<void> {
    await orchestrator.createTask(caller, { id, name: 'no-op', operation: 'import/url', payload: {}, inputs: [] })
  }

  async function createAndWait(caller: Caller): Promise<void> {
    const id = ids.next()
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(id, resolve)
    await create(caller, id)
    await promise
  }

  /** Each new task waits behind the backlog while the oldest ones end: the backlog keeps its length. */
  async function behindBacklog(count: number, caller: Caller): Promise<number> {
    const hold = Promise.withResolvers<void>()
    gate = hold.promise
    let ended = 0
    say(`no-op: filling a backlog of ${backlog}`)
    await inLanes(backlog, width, () => create(caller))
    const all = Promise.withResolvers<void>()
    onEnd = () => {
      ended += 1
      if (ended === count) all.resolve()
    }
    const cpu = bench.meterCpu()
    hold.resolve()
    await Promise.all([inLanes(count, width, () => create(caller)), all.promise])
    say(`no-op behind a backlog: ${cpu.perTask(ended)}`)
    return cpu.ms / ended
  }

  const consumer = consume(queue, { gates: gatesOf({ transfer: width }), run, log: silentLog })
  return {
    async inTurn(count: number, callerOf: (i: number) => Caller) {
      const cpu = bench.meterCpu()
      const rate = await rateOf(count, width, (i) => createAndWait(callerOf(i)))
      say(`no-op: ${cpu.perTask(count)}`)
      return { rate, cpuMs: cpu.ms / count }
    },
    behindBacklog,
    [Symbol.asyncDispose]: () => consumer[Symbol.asyncDispose](),
  }
}
