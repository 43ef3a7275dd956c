import {
  type Dispatchable,
  type Edge,
  type Executor,
  edgesFrom,
  insertEvents,
  type LockedJob,
  type LockedOwner,
  type LockedTask,
  lockJobs,
  lockOwnerOfTask,
  lockTasks,
  type NewFile,
  type TaskUse,
  updateJobs,
  updateTasks,
  updateWaiting,
} from '@lathe/database'
import {
  createdAtOf,
  type Effects,
  type EngineFamily,
  type ExportedFile,
  type Failure,
  failures,
  isOpen,
  jobEvent,
  minutesTaken,
  type ObjectId,
  settle,
  type TaskMove,
  type TaskTimes,
  taskEvent,
  usagePairOf,
} from '@lathe/domain'
import { kindOf, rolesOf } from '@lathe/operations'
import type { EventHint } from '@lathe/queue'
import { admit, ranked } from './admit.ts'
import type { Context } from './context.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { planSlots } from './plan-slots.ts'
import { neededBy } from './pools.ts'
import { nameFiles } from './stored-files.ts'

/** A requested move, with what is only known about the task itself. */
export interface RootMove {
  readonly id: ObjectId
  readonly to: 'completed' | 'failed' | 'canceled' | 'deleted'
  readonly failure?: Failure
  readonly warnings?: readonly string[]
  readonly exported?: readonly ExportedFile[]
  /** The files it created. */
  readonly files?: readonly NewFile[]
  /** The engine time. Default: what its worker reported last. */
  readonly engineMs?: number | undefined
  /** How the task spent its time, as its worker measured it. */
  readonly times?: TaskTimes | undefined
  /** The format of its first input, if known. */
  readonly from?: string | undefined
}

export interface Settled {
  readonly effects: Effects
  /** The tasks before the moves. */
  readonly before: ReadonlyMap<ObjectId, LockedTask>
  /** Tasks that now have a slot and must be queued. */
  readonly admitted: readonly Dispatchable[]
  /** The last event number of each job or task. */
  readonly reported: readonly EventHint[]
}

/** Which tasks a move can affect: a completion only the direct dependants, a bad end also theirs. */
export type Reach = 'children' | 'descendants'

/**
 * Ends tasks of one owner and writes all effects in the caller's transaction: locks the owner, the jobs and the whole
 * family, applies the rules and writes the difference. `decide` sees the locked tasks and can refuse by returning no
 * move, as it must for a stale fence. Throws `OutOfStorage` if the owner may not store the files.
 */
export async function settleTasks(
  tx: Executor,
  context: Pick<Context, 'ids' | 'clock' | 'limits'>,
  { roots, reach }: { roots: readonly ObjectId[]; reach: Reach },
  decide: (tasks: ReadonlyMap<ObjectId, LockedTask>) => readonly RootMove[],
): Promise<Settled | undefined> {
  const [first] = roots
  if (!first) return undefined
  const [owner, edges] = await Promise.all([lockOwnerOfTask(tx, first), closure(tx, roots, reach)])
  if (!owner) return undefined
  const [jobs, tasks] = await Promise.all([
    lockJobs(tx, jobsOf(owner.jobId, edges)),
    lockTasks(tx, [...new Set([...roots, ...edges.map(({ child }) => child)])]),
  ])
  const before = new Map(tasks.map((task) => [task.id, task]))
  const moves = decide(before)
  if (moves.length === 0) return undefined

  const effects = settle({ tasks, jobs, edges }, moves.map(toTaskMove))
  const plan = planSlots(owner, tasks, effects)
  const needs = needsAfter(moves)
  // The ends are written first: a task that ends here must not be admitted.
  const [log, admitted] = await Promise.all([
    write(tx, context, { owner, effects, before, jobs, moves, needs, granted: plan.granted }),
    admit(tx, {
      ownerId: owner.id,
      plan,
      now: context.clock.now(),
      takenMs: takenBy(effects, before, moves),
      opened: -endedBy(effects, before),
    }),
  ])
  const granted = ranked(
    tasks.filter(({ id }) => plan.granted.has(id)).map((task) => ({ ...task, needs: needs(task) })),
    plan.slotsUsed - plan.granted.size,
  )
  return { effects, before, admitted: [...granted, ...admitted], reported: log.hintsFor(owner.id) }
}

/** The engines needed by tasks whose inputs just completed; unchanged for all others. */
function needsAfter(moves: readonly RootMove[]): (task: LockedTask) => EngineFamily | null {
  const formats = new Map(moves.map(({ id, files }) => [id, files?.[0]?.format]))
  return (task) => {
    // Additional files, such as a logo, do not decide which engine is needed.
    const hasOthers = Object.keys(rolesOf(task.operation)).length > 0
    const deciding = hasOthers ? task.dependsOn.slice(0, 1) : task.dependsOn
    const parent = deciding.find((id) => formats.get(id) !== undefined)
    return (parent && neededBy(task, formats.get(parent))) || task.needs
  }
}

/** How many tasks were open and no longer are; a deleted task may have ended before. */
function endedBy({ moves }: Effects, before: ReadonlyMap<ObjectId, LockedTask>): number {
  return moves.filter(({ id, to }) => !isOpen(to) && isOpen(before.get(id)?.status ?? to)).length
}

function takenBy({ moves }: Effects, before: ReadonlyMap<ObjectId, LockedTask>, roots: readonly RootMove[]): number {
  const reported = new Map(roots.map((root) => [root.id, root]))
  const taken = moves.map((move) => timeTaken(move, before.get(move.id), reported.get(move.id)))
  return taken.reduce((sum, ms) => sum + ms, 0)
}

/** Previews are free: their number is limited instead. */
function timeTaken({ cause }: TaskMove, task: LockedTask | undefined, root: RootMove | undefined): number {
  return task && !isPreview(task)
    ? minutesTaken({ ...task, kind: kindOf(task.operation), engineMs: root?.engineMs ?? task.engineMs }, cause)
    : 0
}

/** How usage counts a move: a task counts once, when it ends, and not when it is deleted after that; a preview never. */
function useOf(move: TaskMove, task: LockedTask | undefined, root: RootMove | undefined): TaskUse | null {
  if (!task || isPreview(task) || !isOpen(task.status) || isOpen(move.to)) return null
  const files = root?.files ?? []
  return {
    ...usagePairOf({ kind: kindOf(task.operation), from: root?.from, to: task.to, made: files[0]?.format }),
    engineMs: timeTaken(move, task, root),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  }
}

function toTaskMove({ id, to, failure }: RootMove): TaskMove {
  return { id, to, ...(failure && { cause: failure.code }) }
}

/** Every edge that the move can follow. Read after the owner was locked, so no edge is added meanwhile. */
async function closure(tx: Executor, roots: readonly ObjectId[], reach: Reach): Promise<readonly Edge[]> {
  const edges: Edge[] = []
  const seen = new Set(roots)
  for (let layer = [...roots]; layer.length > 0; ) {
    const found = await edgesFrom(tx, layer)
    edges.push(...found)
    if (reach === 'children') break
    layer = [...new Set(found.map(({ child }) => child))].filter((id) => !seen.has(id))
    for (const id of layer) seen.add(id)
  }
  return edges
}

// Several roots are always the tasks of one job, deleted together.
function jobsOf(jobOfRoots: ObjectId | null, edges: readonly Edge[]): readonly ObjectId[] {
  return [...new Set([jobOfRoots, ...edges.map(({ childJob }) => childJob)])].filter((id) => id !== null)
}

interface Change {
  readonly owner: LockedOwner
  readonly effects: Effects
  readonly before: ReadonlyMap<ObjectId, LockedTask>
  readonly jobs: readonly LockedJob[]
  readonly moves: readonly RootMove[]
  readonly granted: ReadonlySet<ObjectId>
  /** The engine family a task needs now, if known. */
  needs(task: LockedTask): EngineFamily | null
}

async function write(tx: Executor, context: Pick<Context, 'ids' | 'limits'>, change: Change): Promise<EventLog> {
  const { owner, effects, before, jobs, moves, granted, needs } = change
  const log = createEventLog(
    context.ids,
    [...before.values(), ...jobs].map(({ id, seq }) => [id, seq] as const),
  )
  // Previews send no events.
  const newEvents = effects.moves.filter(({ id }) => !isPreview(before.get(id)))
  for (const { id, to } of newEvents) log.add(taskEvent(to), { jobId: before.get(id)?.jobId ?? null, taskId: id })
  for (const { id, from, status } of effects.jobs) {
    if (status !== from) log.add(jobEvent(status), { jobId: id, taskId: null })
  }
  const roots = new Map(moves.map((move) => [move.id, move]))
  const ends = effects.moves.map((move) => {
    const root = roots.get(move.id)
    return { ...toUpdate(move, root), seq: log.seqOf(move.id), use: useOf(move, before.get(move.id), root) }
  })
  const moved = new Set(effects.moves.map(({ id }) => id))
  const waiting = [...effects.waiting].filter(([id]) => !moved.has(id))
  const needsOf = (task: LockedTask | undefined) => (task ? needs(task) : null)
  await Promise.all([
    updateTasks(tx, ends),
    updateWaiting(
      tx,
      waiting.map(([id, pending]) => ({ id, pending, slot: granted.has(id), needs: needsOf(before.get(id)) })),
    ),
    updateJobs(tx, toJobUpdates(change, log.seqOf)),
    insertEvents(tx, owner, log.events),
    ...moves.map(({ id, files = [] }) => {
      const task = before.get(id)
      const createdAt = task && filesSince(task)
      return createdAt && nameFiles(tx, context, { ownerId: owner.id, taskId: id, createdAt, files })
    }),
  ])
  return log
}

const isPreview = (task: LockedTask | undefined) => task !== undefined && task.previewFile !== null

/** When the time of a task's files began: previews expire with the file they show. */
function filesSince({ previewFile, dependsOn: [shown], createdAt }: LockedTask): Date {
  return previewFile === null || shown === undefined ? createdAt : createdAtOf(shown)
}

function toUpdate({ id, to, cause }: TaskMove, root: RootMove | undefined) {
  const why = cause && { ...failures[cause], code: cause }
  return {
    id,
    status: to,
    errorCode: why?.errorCode ?? null,
    reason: why?.code ?? null,
    msg: root?.failure?.text ?? why?.text ?? null,
    detail: root?.failure?.detail ?? null,
    warnings: root?.warnings ?? [],
    exported: root?.exported ?? null,
    times: root?.times ?? null,
  }
}

/** Jobs whose status changed, and jobs that only got events. */
function toJobUpdates({ effects, before, jobs }: Change, seqOf: (id: ObjectId) => number) {
  const touched = new Set(effects.moves.map(({ id }) => before.get(id)?.jobId))
  return jobs
    .filter(({ id }) => touched.has(id))
    .map((job) => {
      const change = effects.jobs.find(({ id }) => id === job.id)
      return {
        id: job.id,
        status: change?.status ?? job.status,
        remaining: change?.remaining ?? job.remaining,
        seq: seqOf(job.id),
        errorCode: change?.errorCode ?? null,
        msg: change?.errorCode ? jobMessages[change.errorCode] : null,
      }
    })
}

/** The cause that a failed job shows. */
export const jobMessages = {
  task_failed: 'A task of this job failed. See its result for the cause.',
  task_canceled: 'A task of this job was canceled.',
  task_deleted: 'A task of this job, or one it depends on, was deleted.',
} as const
