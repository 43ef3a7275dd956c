import { text } from 'node:stream/consumers'
import type { Failure } from '@lathe/domain'
import type { RequestAnswer } from '@lathe/outbound'
import { type AnswerCodes, judgeAnswer } from '../judge-answer.ts'

/** The JSON object of a response; empty if there is none. Throws TransferFailed when it breaks off. */
export async function readJson({ body }: Pick<RequestAnswer, 'body'>): Promise<Readonly<Record<string, unknown>>> {
  const content = await text(body)
  try {
    return toObject(JSON.parse(content))
  } catch {
    return {}
  }
}

// Reasons of the JSON API whose meaning differs from that of the status.
const reasons: AnswerCodes = {
  rateLimitExceeded: 'source_unreachable',
  userRateLimitExceeded: 'source_unreachable',
  quotaExceeded: ['source_forbidden', 'The project has used up its quota at the storage service.'],
  userProjectMissing: ['source_forbidden', 'The bucket makes those who read it pay, which is not possible here.'],
}

/** Converts an error response of the JSON API. */
export async function judgeError(answer: RequestAnswer): Promise<Failure> {
  const { error } = await readJson(answer)
  const { errors } = toObject(error)
  const { reason } = toObject(Array.isArray(errors) ? errors[0] : undefined)
  return judgeAnswer(answer.status, typeof reason === 'string' ? reason : undefined, reasons)
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
