import type { JobToken } from '../schemas/job-token-view.ts'
import { toIso } from './to-iso.ts'

/** What a view needs to know of a job token. */
export interface JobTokenFacts {
  readonly id: string
  readonly jobId: string
  readonly name: string | null
  readonly last4: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly revokedAt: Date | null
}

/** A job token as it is shown: never its text. */
export function toJobTokenView({ id, jobId, name, last4, createdAt, expiresAt, revokedAt }: JobTokenFacts): JobToken {
  return {
    id,
    job: jobId,
    name,
    last4,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    revokedAt: toIso(revokedAt),
  }
}
