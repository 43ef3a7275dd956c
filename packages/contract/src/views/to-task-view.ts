import { recordExpiresAt, type TaskTimes } from '@lathe/domain'
import type { Task } from '../schemas/task-view.ts'
import type { JobSummaryFacts, Links, TaskFacts } from './records.ts'
import { toIso } from './to-iso.ts'
import { toJobSummary } from './to-job-summary.ts'
import { toTaskResult } from './to-task-result.ts'

/** A task as every endpoint shows it; if a job is given, `jobDetails` is added. */
export function toTaskView(task: TaskFacts, links: Links, job?: JobSummaryFacts): Task {
  return {
    id: task.id,
    name: task.name,
    operation: task.operation,
    status: task.status,
    payload: task.status === 'deleted' ? {} : { ...task.payload },
    dependsOn: [...task.dependsOn],
    job: task.jobId,
    user: task.userId,
    result: toTaskResult(task, links),
    progress: task.status === 'processing' ? (task.progress ?? null) : null,
    queue: task.status === 'created' ? (task.queue ?? null) : null,
    ...(task.times && { times: toTimes(task.times) }),
    createdAt: task.createdAt.toISOString(),
    startedAt: toIso(task.startedAt),
    endedAt: toIso(task.endedAt),
    updatedAt: task.updatedAt.toISOString(),
    expiresAt: recordExpiresAt(task.createdAt).toISOString(),
    ...(job && { jobDetails: toJobSummary(job) }),
  }
}

/** Always in this order, whatever the order in the database. */
function toTimes({ queueMs, fetchMs, engineMs, storeMs }: TaskTimes): TaskTimes {
  return { queueMs, fetchMs, engineMs, storeMs }
}
