import { type Failure, type FailureCode, failure } from '@lathe/domain'

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Responses that carry the whole file. 206 was not requested; 202 and 204 carry no file. */
const files: ReadonlySet<number> = new Set([200, 203])

const refusals: Readonly<Record<number, FailureCode>> = {
  401: 'source_unauthorized',
  403: 'source_forbidden',
  404: 'source_not_found',
  410: 'source_not_found',
  // Too many requests: a temporary condition.
  429: 'source_unreachable',
}

/** What a status means for a request that wants a file. */
export function judgeStatus(status: number): 'file' | 'redirect' | Failure {
  if (files.has(status)) return 'file'
  if (redirects.has(status)) return 'redirect'
  const code = refusals[status] ?? (status >= 500 ? 'source_unreachable' : 'source_refused')
  return failure(code, { detail: `status ${status}` })
}
