import { kindOf } from '@lathe/operations'
import type { Event } from '../schemas/event-view.ts'
import type { Job } from '../schemas/job-view.ts'
import type { Task } from '../schemas/task-view.ts'

/**
 * Views for holders of a job token: state and files, but nothing that could be used to add files, and nothing about
 * where the owner stores files, such as URLs, hosts, buckets and paths.
 */
export function toSharedTask(task: Task): Task {
  const { form: _form, exported: _exported, ...result } = task.result
  const { jobDetails, ...rest } = task
  const details = jobDetails && { jobDetails: { ...jobDetails, tag: null } }
  if (kindOf(task.operation) === 'process') return { ...rest, result, ...details }
  const { msg: _msg, ...plain } = result
  return { ...rest, payload: {}, result: plain, ...details }
}

/** A job for holders of a token of it. */
export function toSharedJob(job: Job): Job {
  return { ...job, tag: null, ...(job.tasks && { tasks: job.tasks.map(toSharedTask) }) }
}

/** An event for holders of a token of its job. */
export function toSharedEvent(event: Event): Event {
  const { data } = event
  return { ...event, data: 'job' in data ? { job: toSharedJob(data.job) } : { task: toSharedTask(data.task) } }
}
