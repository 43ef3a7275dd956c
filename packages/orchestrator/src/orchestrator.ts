import {
  endWorker,
  type Fence,
  insertWorker,
  type JobRecord,
  type NewFile,
  type TaskRecord,
  type WorkerInsert,
} from '@lathe/database'
import type { Failure, ObjectId } from '@lathe/domain'
import type { Sealer } from '@lathe/runtime'
import { beatWorker, type InHand } from './beat-worker.ts'
import { cancelTask } from './cancel-task.ts'
import { type Claim, claimTask } from './claim-task.ts'
import { completeUpload } from './complete-upload.ts'
import type { Caller, Context } from './context.ts'
import { createJob, createTask, type NewJob } from './create-tasks.ts'
import { deleteJob, deleteTask } from './delete-tasks.ts'
import { expireOverdue, expireUploads } from './expire-tasks.ts'
import { type Attempt, completeTask, failTask, giveBackTask, type Outcome, type WriteEnd } from './finish-task.ts'
import type { Answer, Idempotency } from './idempotent.ts'
import type { NewTask } from './plan-creation.ts'
import { admitBacklogs, recoverFromTheDead, requeueUnclaimed } from './reconcile.ts'
import { resealSecrets } from './reseal-secrets.ts'

/** The only way to move a task or a job. Every call is one transaction; what it returns is committed. */
export interface Orchestrator {
  createJob(caller: Caller, job: NewJob, idempotency?: Idempotency): Promise<Answer<JobRecord>>
  createTask(caller: Caller, task: NewTask, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  cancelTask(caller: Caller, id: ObjectId, idempotency?: Idempotency): Promise<Answer<TaskRecord>>
  deleteTask(caller: Caller, id: ObjectId): Promise<readonly string[]>
  deleteJob(caller: Caller, id: ObjectId): Promise<readonly string[]>
  completeUpload(taskId: ObjectId, file: NewFile): Promise<TaskRecord | undefined>
}

/** What a worker may do with the tasks it holds. */
export interface WorkerDesk {
  register(worker: WorkerInsert): Promise<void>
  /** Says that the worker lives, and gives back leases it has forgotten. Undefined: it was declared dead; else the leases it has lost. */
  beat(workerId: ObjectId, inHand: InHand): Promise<readonly ObjectId[] | undefined>
  leave(workerId: ObjectId): Promise<void>
  claim(fence: Fence): Promise<Claim | undefined>
  complete(fence: Fence, outcome: Outcome): Promise<WriteEnd>
  fail(attempt: Attempt, cause: Failure): Promise<WriteEnd>
  giveBack(fence: Fence): Promise<WriteEnd>
}

/** What the clock brings. Each is safe to repeat and to run twice at once; each gives how much it did. */
export interface Caretaker {
  requeueUnclaimed(): Promise<number>
  recoverFromTheDead(): Promise<number>
  admitBacklogs(): Promise<number>
  expireOverdue(): Promise<number>
  expireUploads(timeoutMs: number): Promise<number>
  resealSecrets(sealer: Sealer): Promise<number>
}

export function createOrchestrator(context: Context): Orchestrator {
  return {
    createJob: (caller, job, idempotency) => createJob(context, caller, job, idempotency),
    createTask: (caller, task, idempotency) => createTask(context, caller, task, idempotency),
    cancelTask: (caller, id, idempotency) => cancelTask(context, caller, id, idempotency),
    deleteTask: (caller, id) => deleteTask(context, caller, id),
    deleteJob: (caller, id) => deleteJob(context, caller, id),
    completeUpload: (taskId, file) => completeUpload(context, taskId, file),
  }
}

export function createWorkerDesk(context: Context): WorkerDesk {
  const { database } = context
  return {
    register: (worker) => insertWorker(database.pool, worker),
    beat: (workerId, inHand) => beatWorker(context, workerId, inHand),
    leave: (workerId) => endWorker(database.pool, workerId),
    claim: (fence) => claimTask(context, fence),
    complete: (fence, outcome) => completeTask(context, fence, outcome),
    fail: (attempt, cause) => failTask(context, attempt, cause),
    giveBack: (fence) => giveBackTask(context, fence),
  }
}

export function createCaretaker(context: Context): Caretaker {
  return {
    requeueUnclaimed: () => requeueUnclaimed(context),
    recoverFromTheDead: () => recoverFromTheDead(context),
    admitBacklogs: () => admitBacklogs(context),
    expireOverdue: () => expireOverdue(context),
    expireUploads: (timeoutMs) => expireUploads(context, timeoutMs),
    resealSecrets: (sealer) => resealSecrets(context, sealer),
  }
}
