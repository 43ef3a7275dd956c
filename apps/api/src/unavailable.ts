import { isAway } from '@lathe/database'

// The S3 client's error names for a storage that is unreachable or broken.
const awayNames = new Set(['TimeoutError', 'ServiceUnavailable', 'SlowDown', 'InternalError', 'NetworkingError'])

/** Whether an error means that PostgreSQL or the storage cannot be reached: a temporary condition, not a fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (isAway(error)) return true
  const { $metadata: answer } = error as { $metadata?: { httpStatusCode?: number } }
  if (answer && (awayNames.has(error.name) || (answer.httpStatusCode ?? 0) >= 500)) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}
