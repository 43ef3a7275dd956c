import type { ParsedJob } from './parsed.ts'

/** Reads the body of a new job, or throws a Problem that names every faulty field. */
export function parseJob(body: unknown): ParsedJob {
  throw new Error(`not written yet: ${body}`)
}
