import {
  type EngineNote,
  endWorker,
  type Fence,
  insertWorker,
  type JobRecord,
  type NewFile,
  type NewResumableUpload,
  noteEngines,
  type TaskRecord,
  type WorkerInsert,
} from '@lathe/database'
import type { Failure, ObjectId } from '@lathe/domain'
import type { Sealer } from '@lathe/runtime'
import { beatWorker, type InHand } from './beat-worker.ts'
import { cancelTask } from './cancel-task.ts'
import { type Claim, claimTask, type Known } from './claim-task.ts'
import { completeUpload } from './complete-upload.ts'
import type { Caller, Context } from './context.ts'
import { createPreview, type WantedPreview } from './create-preview.ts'
import { createJob, createTask, type NewJob } from './create-tasks.ts'
import { deleteTasksOfClosed } from './delete-closed.ts'
import { deleteJob, deleteTask } from './delete-tasks.ts'
import { expireOverdue, expireUploads } from './expire-tasks.ts'
import {
  type Attempt,
  completeTask,
  failTask,
  giveBackTask,
  type Outcome,
  type Return,
  type Standing,
  type WriteEnd,
} from './finish-task.ts'
import type { Answer, Idempotency } from './idempotent.ts'
import { createLoneEnds } from './lone-ends.ts'
import type { NewTask } from './plan-creation.ts'
import { admitBacklogs, createRequeue, recountOwners, recoverFromTheDead } from './reconcile.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { startResumable } from './start-resumable.ts'
import { requireStorage } from './stored-files.ts'

/** The only way to move a task or a job. Every call is one transaction; what it returns is committed. */
export interface Orchestrator {
  createJob(caller: Caller, job: NewJob, idempotency?: Idempotency): Promise<Answer<JobRecord>>
  createTask(caller: Caller, task: NewTask, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  /** The task that makes a preview: an earlier one for the same page, or a new one. */
  createPreview(caller: Caller, wanted: WantedPreview): Promise<TaskRecord>
  cancelTask(caller: Caller, id: ObjectId, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  deleteTask(caller: Caller, id: ObjectId): Promise<readonly string[]>
  deleteJob(caller: Caller, id: ObjectId): Promise<readonly string[]>
  /** Throws if an owner may not store this many more bytes, as far as that is known before they arrive. */
  requireStorage(ownerId: ObjectId, added: number): Promise<void>
  /**
   * Starts an upload that can be interrupted and resumed. Throws if the owner may not store it; returns the keys of
   * bytes to erase.
   */
  startResumable(upload: NewResumableUpload): Promise<readonly string[]>
  /** `standing` is what is known about the task; without it the end is written on the general path. */
  completeUpload(taskId: ObjectId, file: NewFile, standing?: Standing): Promise<TaskRecord | undefined>
}

/** What a worker may do with its tasks. */
export interface WorkerDesk {
  register(worker: WorkerInsert): Promise<void>
  /**
   * The worker's heartbeat; also requeues leases it does not know. Undefined: it was declared dead; otherwise the
   * leases it has lost.
   */
  beat(workerId: ObjectId, inHand: InHand): Promise<readonly ObjectId[] | undefined>
  leave(workerId: ObjectId): Promise<void>
  /** Records whether engines work on the worker's claimed tasks. Returns the tasks it was recorded for. */
  noteEngines(workerId: ObjectId, notes: readonly EngineNote[]): Promise<readonly ObjectId[]>
  /** `known` is the content of the queue entry, which saves a query. */
  claim(fence: Fence, known?: Known): Promise<Claim | undefined>
  /** `standing` comes from the claim; without it the end is written on the general path. */
  complete(fence: Fence, outcome: Outcome, standing?: Standing): Promise<WriteEnd>
  fail(attempt: Attempt, cause: Failure): Promise<WriteEnd>
  giveBack(fence: Fence, how?: Return): Promise<WriteEnd>
}

/** Periodic duties. Each is safe to repeat and to run concurrently; each returns how much it did. */
export interface Caretaker {
  requeueUnclaimed(): Promise<number>
  recoverFromTheDead(): Promise<number>
  admitBacklogs(): Promise<number>
  /** Recounts owners whose counters do not match their tasks. */
  recountOwners(): Promise<number>
  expireOverdue(): Promise<number>
  expireUploads(timeoutMs: number): Promise<number>
  resealSecrets(sealer: Sealer): Promise<number>
  /** Deletes the remaining jobs and tasks of closed accounts. */
  deleteTasksOfClosed(): Promise<number>
}

export function createOrchestrator(context: Context): Orchestrator {
  const lone = createLoneEnds(context)
  return {
    createJob: (caller, job, idempotency) => createJob(context, caller, job, idempotency),
    createTask: (caller, task, idempotency) => createTask(context, caller, task, idempotency),
    createPreview: (caller, wanted) => createPreview(context, caller, wanted),
    cancelTask: (caller, id, idempotency) => cancelTask(context, caller, id, idempotency),
    deleteTask: (caller, id) => deleteTask(context, caller, id),
    deleteJob: (caller, id) => deleteJob(context, caller, id),
    requireStorage: (ownerId, added) => requireStorage(context, ownerId, added),
    startResumable: (upload) => startResumable(context, upload),
    completeUpload: (taskId, file, standing) => completeUpload(context, lone, { taskId, file, standing }),
  }
}

/** Heartbeats use a separate connection if one is given: nothing else may delay them. */
export function createWorkerDesk(context: Context, { heartbeats = context.database } = {}): WorkerDesk {
  const lone = createLoneEnds(context)
  return {
    register: (worker) => insertWorker(heartbeats.pool, worker),
    beat: (workerId, inHand) => beatWorker(context, heartbeats, workerId, inHand),
    leave: (workerId) => endWorker(heartbeats.pool, workerId),
    noteEngines: (workerId, notes) => noteEngines(context.database.pool, workerId, notes),
    claim: (fence, known) => claimTask(context, fence, known),
    complete: (fence, outcome, standing) => completeTask(context, lone, { fence, outcome, standing }),
    fail: (attempt, cause) => failTask(context, attempt, cause),
    giveBack: (fence, how) => giveBackTask(context, fence, how),
  }
}

export function createCaretaker(context: Context): Caretaker {
  return {
    requeueUnclaimed: createRequeue(context),
    deleteTasksOfClosed: () => deleteTasksOfClosed(context),
    recoverFromTheDead: () => recoverFromTheDead(context),
    admitBacklogs: () => admitBacklogs(context),
    recountOwners: () => recountOwners(context),
    expireOverdue: () => expireOverdue(context),
    expireUploads: (timeoutMs) => expireUploads(context, timeoutMs),
    resealSecrets: (sealer) => resealSecrets(context, sealer),
  }
}
