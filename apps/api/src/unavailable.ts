import { sqlState } from '@lathe/database'

// Connection exceptions, too many connections, and a server that is starting or stopping.
const awaySqlStates = /^(?:08|53300|57P0[123])/

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

// What the driver says without a code when PostgreSQL went away or never came.
const awayTexts = /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout)/

// What the S3 client calls a gateway that is not there, or is there and broken.
const awayNames = new Set(['TimeoutError', 'ServiceUnavailable', 'SlowDown', 'InternalError', 'NetworkingError'])

/** Whether an error means that PostgreSQL or the storage cannot be reached: it passes, and nobody is at fault. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, $metadata: answer } = error as { code?: unknown; $metadata?: { httpStatusCode?: number } }
  if (awaySqlStates.test(sqlState(error) ?? '')) return true
  if (typeof code === 'string' && awayCodes.has(code)) return true
  if (answer && (awayNames.has(error.name) || (answer.httpStatusCode ?? 0) >= 500)) return true
  if (awayTexts.test(error.message)) return true
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}
