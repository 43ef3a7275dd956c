import type {
  ExportedFile,
  FailureCode,
  JobErrorCode,
  JobStatus,
  Progress,
  QueuePlace,
  TaskErrorCode,
  TaskStatus,
  TaskTimes,
} from '@lathe/domain'
import type { Operation, Payload } from '@lathe/operations'
import type { UploadForm } from '../schemas/task-view.ts'

/** What a view needs to know of a stored file. */
export interface FileFacts {
  readonly n: number
  readonly filename: string
  readonly folder?: string | null
  readonly size: number
  readonly sha256: string
  readonly expiresAt: Date
  readonly deletedAt: Date | null
}

/** What a view needs to know of a task. */
export interface TaskFacts {
  readonly id: string
  readonly name: string
  readonly operation: Operation
  readonly status: TaskStatus
  readonly payload: Payload
  readonly dependsOn: readonly string[]
  readonly jobId: string | null
  readonly userId: string
  readonly errorCode: TaskErrorCode | null
  readonly reason: FailureCode | null
  readonly msg: string | null
  readonly warnings: readonly string[]
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly updatedAt: Date
  /** The generation in the owner's links and forms: those with another generation are invalid. */
  readonly linkGeneration: number
  /** Its first files, in their order. */
  readonly files: readonly FileFacts[]
  /** The number of all files, if there are more. */
  readonly filesTotal?: number
  readonly exported?: readonly ExportedFile[] | null
  readonly times?: TaskTimes | null
  /** A hint that is not in the database; only set if requested. */
  readonly progress?: Progress | null
  /** Its queue position while it waits; only set if requested. */
  readonly queue?: QueuePlace | null
}

/** What a view needs to know of a job without its tasks. */
export interface JobSummaryFacts {
  readonly id: string
  readonly tag: string | null
  readonly status: JobStatus
  readonly errorCode: JobErrorCode | null
  readonly msg: string | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly updatedAt: Date
}

/** What a view needs to know of a job. */
export interface JobFacts extends JobSummaryFacts {
  readonly tasks: readonly TaskFacts[]
}

/** What a link or form needs to know of its task. */
export type LinkedTask = Pick<TaskFacts, 'id' | 'linkGeneration'>

/** Builds URLs, and holds the time that decides which files have expired. */
export interface Links {
  readonly now: Date
  fileUrl(task: LinkedTask, n: number, filename: string, expiresAt: Date): string
  archiveUrl(task: LinkedTask, filename: string, expiresAt: Date): string
  /** Where the API lists all files. */
  filesUrl(task: LinkedTask): string
  form(task: LinkedTask): UploadForm
}
