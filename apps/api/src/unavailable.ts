import { isAway } from '@lathe/database'

// What the S3 client calls a gateway that is not there, or is there and broken.
const awayNames = new Set(['TimeoutError', 'ServiceUnavailable', 'SlowDown', 'InternalError', 'NetworkingError'])

/** Whether an error means that PostgreSQL or the storage cannot be reached: it passes, and nobody is at fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isAway(error)) return true
  const { $metadata: answer } = error as { $metadata?: { httpStatusCode?: number } }
  if (answer && (awayNames.has(error.name) || (answer.httpStatusCode ?? 0) >= 500)) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}
