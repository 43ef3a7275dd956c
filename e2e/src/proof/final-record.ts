/** The contents of PostgreSQL and the object store once everything has ended, as plain data for the checker. */
export interface FinalRecord {
  readonly owners: readonly OwnerRow[]
  readonly jobs: readonly JobRow[]
  readonly tasks: readonly TaskRow[]
  readonly events: readonly EventRow[]
  readonly files: readonly FileRow[]
  readonly objects: readonly StoredObject[]
  /** The age at which an object that nothing refers to must have been deleted. */
  readonly mostUnreferencedMs: number
}

export interface OwnerRow {
  readonly id: string
  readonly slotsUsed: number
  readonly backlog: number
  readonly usedMs: number
  /** Bytes of its files, as counted by the service and as the sum of the files. */
  readonly bytesCounted: number
  readonly bytesStored: number
  /** Ended tasks, as counted in its usage and as the number of tasks. */
  readonly endsCounted: number
  readonly ends: number
}

export interface JobRow {
  readonly id: string
  /** Its tag; null once it is deleted. */
  readonly marker: string | null
  readonly status: string
  readonly deleted: boolean
}

export interface TaskRow {
  readonly id: string
  readonly ownerId: string
  readonly jobId: string | null
  /** Its filename, for a task outside a job; null once it is deleted. */
  readonly marker: string | null
  readonly name: string
  readonly operation: string
  readonly status: string
  readonly reason: string | null
  /** The details of a failure for operators. */
  readonly detail: string | null
  readonly attempt: number
  readonly workerDeaths: number
  /** From its first start to its end; null if it never started. */
  readonly workMs: number | null
  /** How long its engines worked in the attempt that ended it; null if it did not end by a report of a worker. */
  readonly engineMs: number | null
  readonly dependsOn: readonly string[]
}

export interface EventRow {
  readonly subject: string
  readonly seq: number
  readonly type: string
  readonly task: string | null
}

export interface FileRow {
  readonly task: string
  readonly key: string
  readonly sha256: string
  /** Whether its bytes must be deleted. */
  readonly deleted: boolean
  /** The SHA-256 of the stored object; null if there is none. */
  readonly stored: string | null
}

export interface StoredObject {
  readonly key: string
  readonly ageMs: number
}
