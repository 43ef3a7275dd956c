import type { ApiError, Job, Task } from './generated/types.ts'

/** Everything that this SDK throws on its own. */
export class LatheError extends Error {
  override readonly name: string = 'LatheError'
}

/** The service could not be reached, or broke off. */
export class ConnectionError extends LatheError {
  override readonly name: string = 'ConnectionError'
}

/** A request took longer than it was allowed. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The service refused a request. */
export class RequestError extends LatheError {
  override readonly name: string = 'RequestError'
  readonly status: number
  readonly errorCode: ApiError['errorCode']
  /** Every faulty field. */
  readonly errors: NonNullable<ApiError['errors']>
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** When to try again, where the service said so. */
  readonly retryAfterMs: number | undefined

  constructor(body: Partial<ApiError> & Pick<ApiError, 'status'>, retryAfterMs?: number) {
    super(body.msg ?? `The service answered ${body.status}.`)
    this.status = body.status
    this.errorCode = body.errorCode ?? 'internal'
    this.errors = body.errors ?? []
    this.requestId = body.requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** A field is wrong: `errors` says which, and what it may be. */
export class InvalidRequestError extends RequestError {
  override readonly name = 'InvalidRequestError'
}

/** The key is missing, invalid, revoked or expired. */
export class UnauthorizedError extends RequestError {
  override readonly name = 'UnauthorizedError'
}

/** The key may not do this. */
export class ForbiddenError extends RequestError {
  override readonly name = 'ForbiddenError'
}

/** There is no such thing, or no longer. */
export class NotFoundError extends RequestError {
  override readonly name = 'NotFoundError'
}

/** Too many requests; the SDK has waited and tried again before it throws this. */
export class RateLimitError extends RequestError {
  override readonly name = 'RateLimitError'
}

const classes: Readonly<Record<number, typeof RequestError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: NotFoundError,
  429: RateLimitError,
}

/** The error of an answer that is not 2xx. */
export async function toRequestError(response: Response): Promise<RequestError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ApiError>
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const Class = classes[response.status] ?? RequestError
  return new Class({ ...body, status: response.status }, Number.isFinite(seconds) ? seconds * 1000 : undefined)
}

/** A task of the job failed: `reason` is the finer, stable cause. */
export class TaskFailedError extends LatheError {
  override readonly name = 'TaskFailedError'
  readonly task: Task
  readonly job: Job | undefined
  readonly errorCode: Task['result']['errorCode']
  readonly reason: Task['result']['reason']

  constructor(task: Task, job?: Job) {
    super(task.result.msg ?? `The task ${task.name} is ${task.status}.`)
    this.task = task
    this.job = job
    this.errorCode = task.result.errorCode
    this.reason = task.result.reason
  }
}
