import { recordExpiresAt } from '@lathe/domain'
import type { JobSummary } from '../schemas/job-summary-view.ts'
import type { JobSummaryFacts } from './records.ts'
import { toIso } from './to-iso.ts'

/** A job without its tasks: for lists that do not include them. */
export function toJobSummary(job: JobSummaryFacts): JobSummary {
  return {
    id: job.id,
    tag: job.tag,
    status: job.status,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    startedAt: toIso(job.startedAt),
    endedAt: toIso(job.endedAt),
    expiresAt: recordExpiresAt(job.createdAt).toISOString(),
    result: { ...(job.errorCode !== null && { errorCode: job.errorCode }), ...(job.msg !== null && { msg: job.msg }) },
  }
}
