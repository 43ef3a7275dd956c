import type { LockedOwner, ParentTask, TaskInsert, TaskRecord } from '@lathe/database'
import {
  failures,
  type InputState,
  type JobStatus,
  jobErrorCodes,
  jobEvent,
  jobStatusOf,
  type ObjectId,
  oldestWithFilesAt,
  type Readiness,
  readinessOf,
  taskEvent,
} from '@lathe/domain'
import { previewVersion, versionFor } from '@lathe/engines'
import { isUpload, type Operation, type Payload } from '@lathe/operations'
import type { Caller } from './context.ts'
import type { EventLog } from './event-log.ts'
import { grant, type SlotPlan } from './plan-slots.ts'
import { neededBy, poolOf } from './pools.ts'

/** The source of a task's files: a task of the same request, or an earlier one. */
export type InputRef =
  | { readonly kind: 'sibling'; readonly name: string }
  /** `path` is the request's field, for errors. */
  | { readonly kind: 'task'; readonly id: ObjectId; readonly path: string }

export interface NewTask {
  readonly id: ObjectId
  readonly name: string
  readonly operation: Operation
  /** As its owner will see it: secrets masked, inline content removed. */
  readonly payload: Payload
  readonly inputs: readonly InputRef[]
  /** The secret parts of the payload, sealed for this task. */
  readonly sealed?: string
  /** The file of its input that it previews, if it is a preview. */
  readonly previewFile?: number
}

export interface CreationRequest {
  readonly caller: Caller
  readonly jobId: ObjectId | null
  readonly tasks: readonly NewTask[]
  readonly parents: ReadonlyMap<ObjectId, ParentTask>
  /** Formats of existing files, by the task that created them. */
  readonly formats?: ReadonlyMap<ObjectId, string>
  readonly owner: LockedOwner
  readonly now: Date
}

export interface Creation {
  readonly tasks: readonly Omit<TaskInsert, 'seq'>[]
  readonly jobStatus: JobStatus
  readonly slots: SlotPlan
}

/** Works out how new tasks start: waiting, ready with or without a slot, or failed because an input already has. */
export function planCreation(request: CreationRequest): Creation {
  const byName = new Map(request.tasks.map((task) => [task.name, task]))
  const readiness = new Map<ObjectId, Readiness>()

  function inputState(ref: InputRef): InputState {
    if (ref.kind === 'sibling') return { status: siblingStatus(ref.name), expired: false }
    const parent = request.parents.get(ref.id)
    if (!parent) throw new Error(`unknown input ${ref.id}`)
    return { status: parent.status, expired: parent.createdAt <= oldestWithFilesAt(request.now) }
  }

  function siblingStatus(name: string) {
    const sibling = byName.get(name)
    if (!sibling) throw new Error(`unknown sibling ${name}`)
    return begin(sibling).kind === 'doomed' ? 'failed' : isUpload(sibling.operation) ? 'processing' : 'created'
  }

  // The contract rejects cycles, so this ends.
  function begin(task: NewTask): Readiness {
    const known = readiness.get(task.id)
    if (known) return known
    const found = readinessOf(distinct(task.inputs).map(inputState))
    readiness.set(task.id, found)
    return found
  }

  const ready = request.tasks.filter((task) => begin(task).kind === 'ready' && !isUpload(task.operation))
  const slots = grant(
    request.owner,
    ready.map(({ id }) => id),
  )
  const tasks = request.tasks.map((task, position) =>
    toInsert({ task, position, readiness: begin(task), slot: slots.granted.has(task.id), byName, request }),
  )
  return { tasks, jobStatus: jobStatusOf(tasks.map(({ status }) => status)), slots }
}

function distinct(inputs: readonly InputRef[]): readonly InputRef[] {
  return [...new Map(inputs.map((ref) => [ref.kind === 'task' ? ref.id : `name:${ref.name}`, ref])).values()]
}

interface InsertParts {
  readonly task: NewTask
  readonly position: number
  readonly readiness: Readiness
  readonly slot: boolean
  readonly byName: ReadonlyMap<string, NewTask>
  readonly request: CreationRequest
}

function toInsert({ task, position, readiness, slot, byName, request }: InsertParts): Omit<TaskInsert, 'seq'> {
  const { caller, jobId, now } = request
  const doom = readiness.kind === 'doomed' ? { ...failures[readiness.cause], code: readiness.cause } : undefined
  const upload = isUpload(task.operation) && !doom
  const dependsOn = task.inputs.map((ref) => (ref.kind === 'task' ? ref.id : (byName.get(ref.name)?.id ?? '')))
  return {
    id: task.id,
    jobId,
    ownerId: caller.ownerId,
    userId: caller.userId,
    position,
    name: task.name,
    operation: task.operation,
    pool: poolOf(task.operation),
    status: doom ? 'failed' : upload ? 'processing' : 'created',
    payload: task.payload,
    dependsOn,
    pending: readiness.kind === 'waiting' ? readiness.pending : 0,
    slot,
    attempt: 1,
    errorCode: doom?.errorCode ?? null,
    reason: doom?.code ?? null,
    msg: doom?.text ?? null,
    createdAt: now,
    startedAt: upload ? now : null,
    endedAt: doom ? now : null,
    updatedAt: now,
    sealed: doom ? null : (task.sealed ?? null),
    traceParent: caller.traceParent ?? null,
    needs: neededBy(
      { operation: task.operation, to: task.payload.output_format, options: task.payload.options },
      request.formats?.get(dependsOn[0] ?? ''),
    ),
    needsVersion: laterThanFirst(
      Math.max(versionFor(task.operation, task.payload), task.previewFile === undefined ? 1 : previewVersion),
    ),
    previewFile: task.previewFile ?? null,
    linkGeneration: caller.linkGeneration ?? 0,
  }
}

const laterThanFirst = (version: number) => (version > 1 ? version : null)

export const failedAtCreation = jobErrorCodes.failed

/** Adds the first events of a job and its tasks to the log. */
export function logCreation(log: EventLog, jobId: ObjectId | null, { tasks, jobStatus }: Creation): void {
  if (jobId) log.add('job.created', { jobId, taskId: null })
  for (const { id } of tasks) log.add('task.created', { jobId, taskId: id })
  for (const { id, status } of tasks) if (status !== 'created') log.add(taskEvent(status), { jobId, taskId: id })
  if (jobId && jobStatus !== 'created') log.add(jobEvent(jobStatus), { jobId, taskId: null })
}

/** A new task as its owner sees it. */
export function toRecord(task: Omit<TaskInsert, 'seq'>): TaskRecord {
  const { position: _position, pool: _pool, pending: _pending, slot: _slot, ...rest } = task
  const { sealed: _sealed, traceParent: _traceParent, needs: _needs, needsVersion: _version, ...shown } = rest
  return { ...shown, warnings: [], exported: null, times: null, files: [] }
}
