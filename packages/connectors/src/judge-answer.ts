import { type Failure, type FailureCode, failure } from '@lathe/domain'

/** The meaning of a storage service's error codes, with our own text where the default text does not fit. */
export type AnswerCodes = Readonly<Record<string, FailureCode | readonly [FailureCode, string]>>

const byStatus: Readonly<Record<number, FailureCode>> = {
  401: 'source_unauthorized',
  403: 'source_forbidden',
  404: 'source_not_found',
  408: 'source_unreachable',
  410: 'source_not_found',
  // The content has changed since it was first opened: another attempt starts over.
  412: 'source_unreachable',
  416: 'source_unreachable',
  429: 'source_unreachable',
}

// A server may send anything as its code, even what we sent to it.
const plainCode = /^[A-Za-z]{3,60}$/

/** The meaning of an error response of a storage service: by the service's code if it is known, else by the status. */
export function judgeAnswer(status: number, code: string | undefined, known: AnswerCodes): Failure {
  const name = code !== undefined && plainCode.test(code) ? code : undefined
  const detail = name === undefined ? `status ${status}` : `status ${status} ${name}`
  const meaning = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
  if (typeof meaning === 'object') return failure(meaning[0], { text: meaning[1], detail })
  return failure(meaning ?? byStatus[status] ?? (status >= 500 ? 'source_unreachable' : 'source_refused'), { detail })
}
