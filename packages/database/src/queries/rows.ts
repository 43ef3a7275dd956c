import type {
  ExportedFile,
  FailureCode,
  JobErrorCode,
  JobStatus,
  ObjectId,
  TaskErrorCode,
  TaskStatus,
  TaskTimes,
} from '@lathe/domain'
import type { Operation, Payload } from '@lathe/operations'

/** A file whose bytes are stored under `key`, and that is, or will be, an output of a task. */
export interface NewFile {
  readonly n: number
  readonly key: string
  readonly filename: string
  readonly format: string
  readonly size: number
  readonly sha256: string
  readonly crc32: number
  /** Its folder in a ZIP of its task: `album/day 1`. Absent or null for the top level. */
  readonly folder?: string | null
}

/** A file of a task. */
export interface FileRecord extends NewFile {
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly deletedAt: Date | null
}

/** A task as its owner may see it. */
export interface TaskRecord {
  readonly id: ObjectId
  readonly name: string
  readonly operation: Operation
  readonly status: TaskStatus
  readonly payload: Payload
  readonly dependsOn: readonly ObjectId[]
  readonly jobId: ObjectId | null
  readonly ownerId: ObjectId
  readonly userId: ObjectId
  readonly attempt: number
  readonly errorCode: TaskErrorCode | null
  readonly reason: FailureCode | null
  readonly msg: string | null
  readonly warnings: readonly string[]
  /** Where an export stored its files; null if the task is not such an export. */
  readonly exported: readonly ExportedFile[] | null
  /** How the task spent its time; null until a worker has ended it. */
  readonly times: TaskTimes | null
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly updatedAt: Date
  /** The generation in links and forms of its owner. */
  readonly linkGeneration: number
  /** The file of its input that it previews; null or absent for tasks of clients. */
  readonly previewFile?: number | null
  /** Its files, or the first of them: then `filesTotal` is their number. */
  readonly files: readonly FileRecord[]
  readonly filesTotal?: number
}

/** A job as its owner may see it, with its tasks in request order. */
export interface JobRecord {
  readonly id: ObjectId
  readonly tag: string | null
  readonly status: JobStatus
  readonly errorCode: JobErrorCode | null
  readonly msg: string | null
  readonly ownerId: ObjectId
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
  readonly updatedAt: Date
  readonly tasks: readonly TaskRecord[]
}

export const taskColumns = `t.id, t.name, t.operation, t.status, t.payload, t.depends_on as "dependsOn",
  t.job_id as "jobId", t.owner_id as "ownerId", t.user_id as "userId", t.attempt, t.error_code as "errorCode",
  t.reason, t.msg, t.warnings, t.exported, t.times, t.created_at as "createdAt", t.started_at as "startedAt", t.ended_at as "endedAt",
  t.updated_at as "updatedAt", t.preview_file as "previewFile", (select o.link_generation from owners o where o.id = t.owner_id) as "linkGeneration"`

export const jobColumns = `j.id, j.tag, j.status, j.error_code as "errorCode", j.msg, j.owner_id as "ownerId",
  j.created_at as "createdAt", j.started_at as "startedAt", j.ended_at as "endedAt", j.updated_at as "updatedAt"`

export const fileColumns = `f.task_id as "taskId", f.n, f.key, f.filename, f.format, f.size, f.sha256, f.crc32, f.folder,
  f.created_at as "createdAt", f.expires_at as "expiresAt", f.deleted_at as "deletedAt"`
