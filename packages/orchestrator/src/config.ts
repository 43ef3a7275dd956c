import { type Static, Type } from 'typebox'
import type { OwnerLimits } from './context.ts'

const GiB = 1024 ** 3

/** The limits of one owner. */
export const ownerEnv = Type.Object({
  TASKS_OPEN_PER_OWNER: Type.Integer({
    minimum: 1,
    default: 10_000,
    description: 'Maximum number of open tasks (created or processing) per owner',
  }),
  DEPENDANTS_PER_TASK: Type.Integer({
    minimum: 100,
    default: 1_000,
    description:
      'Maximum number of tasks that may wait for one open task. When it ends, all of them are written in one transaction, so a higher limit allows longer ones. At least 100, as many as one job can contain',
  }),
  STORED_BYTES_PER_OWNER: Type.Integer({
    minimum: 0,
    default: 100 * GiB,
    description:
      'Storage per owner in bytes: uploads, imports and results of the last 4 hours that were not deleted. Above it, uploads are refused and tasks fail with `out_of_storage`. 0: no limit. Use the same value for api and worker',
  }),
})

/** The owner limits in the configuration of a process. */
export function ownerLimits(env: Static<typeof ownerEnv>): OwnerLimits {
  return {
    openTasksPerOwner: env.TASKS_OPEN_PER_OWNER,
    dependantsPerTask: env.DEPENDANTS_PER_TASK,
    storedBytesPerOwner: env.STORED_BYTES_PER_OWNER,
  }
}

/** How long an upload task waits for its file. */
export const uploadEnv = Type.Object({
  LATHE_UPLOAD_TIMEOUT_S: Type.Integer({
    minimum: 1,
    default: 3600,
    description:
      'Seconds that an upload task waits for its file, or for the next part of a resumable upload, before it fails with upload_timeout. Use the same value for api and scheduler',
  }),
})

/** How long an upload task waits for its file, in the configuration of a process. */
export function uploadTimeoutMs(env: Static<typeof uploadEnv>): number {
  return env.LATHE_UPLOAD_TIMEOUT_S * 1000
}
