import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCycle } from './job-graph.ts'
import type { JobStatus } from './job-state.ts'
import { readinessOf } from './readiness.ts'
import { type Family, settle, type TaskMove } from './settle.ts'
import { isBadEnd, isOpen, type TaskStatus } from './task-state.ts'

interface ModelTask {
  id: string
  jobId: string | null
  status: TaskStatus
  pending: number
  inputs: string[]
  /** How often it entered a status that is final for its dependants. */
  ends: number
  startedAfter: string[] | undefined
}

/** Tasks and jobs that only the rules change. */
class Model {
  readonly tasks = new Map<string, ModelTask>()
  readonly jobs = new Map<string, { id: string; status: JobStatus; remaining: number; history: JobStatus[] }>()

  create(jobId: string | null, inputsOf: number[][]): void {
    const earlier = [...this.tasks.values()].filter(({ status }) => status !== 'deleted').map(({ id }) => id)
    const ids = inputsOf.map((_, i) => `${jobId ?? 'single'}-${this.tasks.size + i}`)
    if (jobId) this.jobs.set(jobId, { id: jobId, status: 'created', remaining: ids.length, history: ['created'] })
    for (const [i, id] of ids.entries()) {
      const choices = [...ids.slice(0, i), ...earlier]
      const picks = inputsOf[i] ?? []
      const inputs = choices.length === 0 ? [] : [...new Set(picks.map((n) => choices[n % choices.length] ?? ''))]
      this.add(id, jobId, inputs)
    }
  }

  private add(id: string, jobId: string | null, inputs: string[]): void {
    const states = inputs.map((input) => ({ status: this.task(input).status, expired: false }))
    const readiness = readinessOf(states)
    const pending = readiness.kind === 'waiting' ? readiness.pending : 0
    this.tasks.set(id, { id, jobId, status: 'created', pending, inputs, ends: 0, startedAfter: undefined })
    if (readiness.kind === 'doomed') this.move([{ id, to: 'failed', cause: readiness.cause }])
  }

  move(roots: TaskMove[]): void {
    const before = new Map([...this.tasks.values()].map(({ id, status }) => [id, status]))
    const effects = settle(this.family(), roots)
    const seen = new Set<string>()
    for (const { id, to } of effects.moves) {
      expect(seen.has(id)).toBe(false)
      seen.add(id)
      const task = this.task(id)
      if (!isOpen(task.status)) expect(to).toBe('deleted')
      if (isOpen(task.status) && !isOpen(to)) task.ends += 1
      if (to === 'processing') task.startedAfter = task.inputs.filter((input) => before.get(input) !== 'completed')
      task.status = to
    }
    for (const [id, pending] of effects.waiting) this.task(id).pending = pending
    for (const change of effects.jobs) {
      const job = this.jobs.get(change.id)
      expect(change.from).toBe(job?.status)
      if (job && change.status !== job.status) job.history.push(change.status)
      if (job) Object.assign(job, { status: change.status, remaining: change.remaining })
    }
  }

  deleteJobOf({ id, jobId }: ModelTask): void {
    const own = [...this.tasks.values()].filter((task) => task.id === id || (jobId && task.jobId === jobId))
    this.move(own.map((task) => ({ id: task.id, to: 'deleted' })))
    expect(own.every(({ status }) => status === 'deleted')).toBe(true)
  }

  task(id: string): ModelTask {
    const task = this.tasks.get(id)
    if (!task) throw new Error(`no task ${id}`)
    return task
  }

  ready(): ModelTask[] {
    return [...this.tasks.values()].filter(({ status, pending }) => status === 'created' && pending === 0)
  }

  private family(): Family {
    const tasks = [...this.tasks.values()]
    return {
      tasks,
      jobs: [...this.jobs.values()],
      edges: tasks.flatMap(({ id, inputs }) => inputs.map((parent) => ({ parent, child: id }))),
    }
  }
}

type Command =
  | { kind: 'create'; inJob: boolean; inputs: number[][] }
  | { kind: 'claim' | 'complete' | 'fail' | 'cancel' | 'delete' | 'expire' | 'deleteJob'; pick: number }

const graph = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 6 })
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), inJob: fc.boolean(), inputs: graph }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'claim',
        'claim',
        'complete',
        'complete',
        'fail',
        'cancel',
        'delete',
        'expire',
        'deleteJob',
      ),
      pick: fc.nat(1000),
    }),
  },
)

function apply(model: Model, step: Command, n: number): void {
  if (step.kind === 'create') {
    model.create(step.inJob ? `job${n}` : null, step.inputs)
    return
  }
  const all = [...model.tasks.values()]
  const running = all.filter(({ status }) => status === 'processing')
  const from = step.kind === 'claim' ? model.ready() : step.kind === 'complete' || step.kind === 'fail' ? running : all
  const task = from[step.pick % Math.max(from.length, 1)]
  if (!task) return
  const moves: Record<Exclude<Command['kind'], 'create' | 'deleteJob'>, TaskMove> = {
    claim: { id: task.id, to: 'processing' },
    complete: { id: task.id, to: 'completed' },
    fail: { id: task.id, to: 'failed', cause: 'engine_crashed' },
    cancel: { id: task.id, to: 'canceled' },
    delete: { id: task.id, to: 'deleted' },
    expire: { id: task.id, to: 'failed', cause: 'engine_timeout' },
  }
  if (step.kind === 'deleteJob') model.deleteJobOf(task)
  else model.move([moves[step.kind]])
}

describe('settle, over random histories of random graphs', () => {
  it('keeps the rules of tasks and jobs in 10,000 sequences [D-state-10, D-state-14]', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (steps) => {
        const model = new Model()
        for (const [n, step] of steps.entries()) apply(model, step, n)
        for (const task of model.tasks.values()) checkTask(model, task)
        for (const job of model.jobs.values()) checkJob(model, job)
      }),
      { numRuns: 10_000 },
    )
  })
})

function checkTask(model: Model, task: ModelTask): void {
  // Exactly one terminal status, followed only by deletion.
  expect(task.ends).toBe(isOpen(task.status) ? 0 : 1)
  // A task starts only after its inputs completed.
  expect(task.startedAfter ?? []).toEqual([])
  // Failure, cancellation and deletion have reached every task that was still waiting.
  if (task.status === 'created') {
    const inputs = task.inputs.map((input) => model.task(input).status)
    expect(inputs.some(isBadEnd)).toBe(false)
    expect(task.pending).toBe(inputs.filter((status) => status !== 'completed').length)
  }
}

function checkJob(model: Model, job: { id: string; status: JobStatus; remaining: number; history: JobStatus[] }): void {
  const tasks = [...model.tasks.values()].filter(({ jobId }) => jobId === job.id)
  const everBad = tasks.some(({ status }) => isBadEnd(status))
  if (job.status === 'completed')
    expect(tasks.every(({ status }) => status === 'completed' || status === 'deleted')).toBe(true)
  else expect(job.status === 'failed').toBe(everBad)
  if (job.status === 'created') expect(tasks.every(({ status }) => status === 'created')).toBe(true)
  const once = new Set(job.history)
  expect(once.size).toBe(job.history.length)
}

describe('settle', () => {
  const chain: Family = {
    tasks: [
      { id: 'a', jobId: 'j', status: 'processing', pending: 0 },
      { id: 'b', jobId: 'j', status: 'created', pending: 1 },
      { id: 'c', jobId: 'j', status: 'created', pending: 1 },
      { id: 'side', jobId: 'j', status: 'processing', pending: 0 },
    ],
    jobs: [{ id: 'j', status: 'processing', remaining: 4 }],
    edges: [
      { parent: 'a', child: 'b' },
      { parent: 'b', child: 'c' },
    ],
  }

  it('fails every dependent of a canceled task and leaves other branches running [S-state-04, S-state-07, D-state-07, D-state-15]', () => {
    const { moves } = settle(chain, [{ id: 'a', to: 'canceled' }])
    expect(moves).toEqual([
      { id: 'a', to: 'canceled' },
      { id: 'b', to: 'failed', cause: 'input_canceled' },
      { id: 'c', to: 'failed', cause: 'input_failed' },
    ])
  })

  it.each([
    ['failed', 'task_failed'],
    ['canceled', 'task_canceled'],
    ['deleted', 'task_deleted'],
  ] as const)(
    'fails the job at once when a task ends %s, with the error code %s [S-state-11, S-state-12, D-state-13]',
    (to, errorCode) => {
      const { jobs } = settle(chain, [{ id: 'a', to }])
      expect(jobs).toEqual([{ id: 'j', from: 'processing', status: 'failed', remaining: 4, errorCode }])
    },
  )

  it('makes a dependent ready when its last input completes', () => {
    const { waiting, jobs } = settle(chain, [{ id: 'a', to: 'completed' }])
    expect([...waiting]).toEqual([['b', 0]])
    expect(jobs).toEqual([{ id: 'j', from: 'processing', status: 'processing', remaining: 3 }])
  })

  it('lets a running dependent finish when its input is deleted [D-state-25]', () => {
    const running: Family = {
      tasks: [
        { id: 'a', jobId: null, status: 'completed', pending: 0 },
        { id: 'b', jobId: null, status: 'processing', pending: 0 },
        { id: 'c', jobId: null, status: 'created', pending: 0 },
      ],
      jobs: [],
      edges: [
        { parent: 'a', child: 'b' },
        { parent: 'a', child: 'c' },
      ],
    }
    const { moves } = settle(running, [{ id: 'a', to: 'deleted' }])
    expect(moves).toEqual([
      { id: 'a', to: 'deleted' },
      { id: 'c', to: 'failed', cause: 'input_deleted' },
    ])
  })

  it('ignores a move that the state table does not allow', () => {
    expect(settle(chain, [{ id: 'b', to: 'completed' }]).moves).toEqual([])
  })
})

describe('findCycle', () => {
  it('finds a cycle and names it', () => {
    const nodes = [
      { name: 'a', inputs: ['c'] },
      { name: 'b', inputs: ['a'] },
      { name: 'c', inputs: ['b'] },
    ]
    expect(findCycle(nodes)).toEqual(['a', 'c', 'b', 'a'])
  })

  it('accepts a graph where tasks have several inputs and several dependents', () => {
    const nodes = [
      { name: 'a', inputs: [] },
      { name: 'b', inputs: ['a'] },
      { name: 'c', inputs: ['a'] },
      { name: 'd', inputs: ['b', 'c'] },
    ]
    expect(findCycle(nodes)).toBeUndefined()
  })
})
