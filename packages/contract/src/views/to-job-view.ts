import type { Job } from '../schemas/job-view.ts'
import type { JobFacts, Links } from './records.ts'
import { toJobSummary } from './to-job-summary.ts'
import { toTaskView } from './to-task-view.ts'

/** A job with its tasks, in the order of the database. */
export function toJobView(job: JobFacts, links: Links): Job {
  return { ...toJobSummary(job), tasks: job.tasks.map((task) => toTaskView(task, links)) }
}
