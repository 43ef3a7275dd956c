import { sqlState } from './database.ts'

// Connection exceptions, no room for connections, memory or data, a server that starts or stops, one that is a replica
// since a failover, a session that was ended because it was idle, and a lock or an answer that took too long.
const awaySqlStates = /^(?:08|53|57P0[1235]|25006|25P03|55P03|57014)/

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
])

// Errors of the driver without a code when PostgreSQL went away or could not be reached.
const awayTexts =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection)/

/**
 * Whether an error means that PostgreSQL, or another server, cannot be reached or is too busy: the error is temporary
 * and not caused by the request.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (awaySqlStates.test(sqlState(error) ?? '')) return true
  if (typeof code === 'string' && awayCodes.has(code)) return true
  if (awayTexts.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.some(isAway)) return true
  return error.cause !== undefined && isAway(error.cause)
}
