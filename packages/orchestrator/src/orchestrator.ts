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
import { admitBacklogs, recoverFromTheDead, requeueUnclaimed } from './reconcile.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { startResumable } from './start-resumable.ts'
import { requireStorage } from './stored-files.ts'

/** The only way to move a task or a job. Every call is one transaction; what it returns is committed. */
export interface Orchestrator {
  createJob(caller: Caller, job: NewJob, idempotency?: Idempotency): Promise<Answer<JobRecord>>
  createTask(caller: Caller, task: NewTask, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  cancelTask(caller: Caller, id: ObjectId, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  deleteTask(caller: Caller, id: ObjectId): Promise<readonly string[]>
  deleteJob(caller: Caller, id: ObjectId): Promise<readonly string[]>
  /** `standing` is what is known of the task; without it the end is written the general way. */
  /** Throws if an owner may not store so many bytes more, as far as is known before they are there. */
  requireStorage(ownerId: ObjectId, added: number): Promise<void>
  /** Starts an upload that may break off and go on. Throws if the owner may not store it; gives keys of bytes that are to be erased. */
  startResumable(upload: NewResumableUpload): Promise<readonly string[]>
  completeUpload(taskId: ObjectId, file: NewFile, standing?: Standing): Promise<TaskRecord | undefined>
}

/** What a worker may do with the tasks it holds. */
export interface WorkerDesk {
  register(worker: WorkerInsert): Promise<void>
  /** Says that the worker lives, and gives back leases it has forgotten. Undefined: it was declared dead; else the leases it has lost. */
  beat(workerId: ObjectId, inHand: InHand): Promise<readonly ObjectId[] | undefined>
  leave(workerId: ObjectId): Promise<void>
  /** Writes whether engines work on tasks the worker has claimed. Gives the tasks it was written for. */
  noteEngines(workerId: ObjectId, notes: readonly EngineNote[]): Promise<readonly ObjectId[]>
  /** `known` is what the queue entry says, which spares a look. */
  claim(fence: Fence, known?: Known): Promise<Claim | undefined>
  /** `standing` is what the claim told; without it the end is written the general way. */
  complete(fence: Fence, outcome: Outcome, standing?: Standing): Promise<WriteEnd>
  fail(attempt: Attempt, cause: Failure): Promise<WriteEnd>
  giveBack(fence: Fence, how?: Return): Promise<WriteEnd>
}

/** What the clock brings. Each is safe to repeat and to run twice at once; each gives how much it did. */
export interface Caretaker {
  requeueUnclaimed(): Promise<number>
  recoverFromTheDead(): Promise<number>
  admitBacklogs(): Promise<number>
  expireOverdue(): Promise<number>
  expireUploads(timeoutMs: number): Promise<number>
  resealSecrets(sealer: Sealer): Promise<number>
  /** Deletes what is left of accounts that were closed. */
  deleteTasksOfClosed(): Promise<number>
}

export function createOrchestrator(context: Context): Orchestrator {
  const lone = createLoneEnds(context)
  return {
    createJob: (caller, job, idempotency) => createJob(context, caller, job, idempotency),
    createTask: (caller, task, idempotency) => createTask(context, caller, task, idempotency),
    cancelTask: (caller, id, idempotency) => cancelTask(context, caller, id, idempotency),
    deleteTask: (caller, id) => deleteTask(context, caller, id),
    deleteJob: (caller, id) => deleteJob(context, caller, id),
    requireStorage: (ownerId, added) => requireStorage(context, ownerId, added),
    startResumable: (upload) => startResumable(context, upload),
    completeUpload: (taskId, file, standing) => completeUpload(context, lone, { taskId, file, standing }),
  }
}

/** Heartbeats go over a connection of their own where one is given: nothing else may hold them up. */
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
    requeueUnclaimed: () => requeueUnclaimed(context),
    deleteTasksOfClosed: () => deleteTasksOfClosed(context),
    recoverFromTheDead: () => recoverFromTheDead(context),
    admitBacklogs: () => admitBacklogs(context),
    expireOverdue: () => expireOverdue(context),
    expireUploads: (timeoutMs) => expireUploads(context, timeoutMs),
    resealSecrets: (sealer) => resealSecrets(context, sealer),
  }
}
