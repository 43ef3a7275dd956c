import { type ErrorBody, problemStatus } from '@lathe/contract'
import { Problem, type ProblemCode } from '@lathe/domain'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from './unavailable.ts'

// Errors of the framework, mapped to our problem codes.
const frameworkProblems: Readonly<Record<string, ProblemCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_ERR_NOT_FOUND: 'not_found',
}

// A client that is cut off while it still sends sees a broken connection instead of our answer. So a body up to this
// size is read to its end.
const readToEndBytes = 64 * 1024 ** 2

// About the time that a restart of PostgreSQL or the storage takes.
const retryAfterS = 5

/** Answers an error. Only the message of a Problem reaches the client; anything unexpected is logged here, once. */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error)
  if (problem.code === 'internal') request.log.error({ err: error }, 'unexpected error')
  if (problem.code === 'unavailable') {
    request.log.warn({ err: error }, 'dependency unavailable')
    reply.header('retry-after', retryAfterS)
  }
  if (problem.code === 'rate_limited' && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterS)
  if (problem.code === 'body_too_large' && Number(request.headers['content-length']) <= readToEndBytes)
    reply.removeHeader('connection')
  if (problem.code === 'unauthorized') {
    reply.header('www-authenticate', request.routeOptions.config.challenge ?? 'Bearer')
  }
  return reply
    .code(problemStatus[problem.code])
    .type('application/json; charset=utf-8')
    .send(toErrorBody(problem, request.id))
}

/** The body of a refused request. */
export function toErrorBody({ code, message, errors }: Problem, requestId: string): ErrorBody {
  return {
    status: problemStatus[code],
    errorCode: code,
    msg: message,
    ...(errors.length > 0 && {
      errors: errors.map(({ path, code: fault = 'invalid', msg }) => ({ path, code: fault, msg })),
    }),
    requestId,
  }
}

function toProblem(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkProblems[code]
  if (known) return new Problem(known, {}, error)
  if (isUnavailable(error)) return new Problem('unavailable', {}, error)
  // The framework's other errors (a malformed URL, a wrong Content-Length) are faults of the client.
  return statusCode >= 400 && statusCode < 500
    ? new Problem('invalid_request', {}, error)
    : new Problem('internal', {}, error)
}
