import { type Failure, type FailureCode, failure } from '@lathe/domain'

/** What a code of a storage service means, with words of our own where the table of failures has none that fit. */
export type AnswerCodes = Readonly<Record<string, FailureCode | readonly [FailureCode, string]>>

const byStatus: Readonly<Record<number, FailureCode>> = {
  401: 'source_unauthorized',
  403: 'source_forbidden',
  404: 'source_not_found',
  408: 'source_unreachable',
  410: 'source_not_found',
  // The content is not the one that was opened first: another attempt begins anew.
  412: 'source_unreachable',
  416: 'source_unreachable',
  429: 'source_unreachable',
}

// A server may put anything into its code, even what we sent it.
const plainCode = /^[A-Za-z]{3,60}$/

/** What an error answer of a storage service means: by the service's own code if it is known, else by the HTTP status. */
export function judgeAnswer(status: number, code: string | undefined, known: AnswerCodes): Failure {
  const name = code !== undefined && plainCode.test(code) ? code : undefined
  const detail = name === undefined ? `status ${status}` : `status ${status} ${name}`
  const meaning = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
  if (typeof meaning === 'object') return failure(meaning[0], { text: meaning[1], detail })
  return failure(meaning ?? byStatus[status] ?? (status >= 500 ? 'source_unreachable' : 'source_refused'), { detail })
}
