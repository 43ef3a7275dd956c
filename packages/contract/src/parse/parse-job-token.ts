import { recordExpiresAt } from '@lathe/domain'
import { jobTokenBody } from '../bodies/job-token-bodies.ts'
import { readBody } from './read-body.ts'
import { refuse } from './refuse.ts'

/** A job token as a valid request describes it. */
export interface ParsedJobToken {
  readonly name: string | null
  readonly expiresAt: Date
}

/** Reads the body of a new job token, or throws a Problem that names every faulty field. */
export function parseJobToken(sent: unknown, job: { readonly createdAt: Date }, now: Date): ParsedJobToken {
  const { name = null, expiresAt } = readBody(jobTokenBody, sent ?? {})
  const latest = recordExpiresAt(job.createdAt)
  const time = expiresAt === undefined ? latest : new Date(expiresAt)
  if (!(time > now && time <= latest)) {
    refuse([
      { path: 'expiresAt', msg: `must be an ISO 8601 time in the future, no later than ${latest.toISOString()}.` },
    ])
  }
  return { name, expiresAt: time }
}
