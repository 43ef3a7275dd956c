import type { ApiError, Job, Task } from './generated/types.ts'

/** The base class of all errors of this SDK. */
export class LatheError extends Error {
  override readonly name: string = 'LatheError'
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends LatheError {
  override readonly name: string = 'ConnectionError'
}

/** Whether the service, or the way to it, is down: what is asked now may succeed later, unchanged. */
export function isOutage(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof RequestError && error.status >= 502)
}

/** A request took longer than its timeout. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The service refused a request. */
export class RequestError extends LatheError {
  override readonly name: string = 'RequestError'
  readonly status: number
  readonly errorCode: ApiError['errorCode']
  /** Every invalid field. */
  readonly errors: NonNullable<ApiError['errors']>
  /** Include it when you ask for help. */
  readonly requestId: string | undefined
  /** How long to wait before the next attempt, if the service sent it. */
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

/** A field is invalid: `errors` names it and what is allowed. */
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

/** The resource does not exist, or no longer exists. */
export class NotFoundError extends RequestError {
  override readonly name = 'NotFoundError'
}

/** Too many requests. The SDK has already waited and retried before it throws this. */
export class RateLimitError extends RequestError {
  override readonly name = 'RateLimitError'
}

/** The account has no storage left for the file. */
export class OutOfStorageError extends RequestError {
  override readonly name = 'OutOfStorageError'
}

const classByCode: Readonly<Partial<Record<ApiError['errorCode'], typeof RequestError>>> = {
  invalid_request: InvalidRequestError,
  invalid_json: InvalidRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  access_denied: ForbiddenError,
  out_of_storage: OutOfStorageError,
  not_found: NotFoundError,
  link_expired: NotFoundError,
  form_expired: NotFoundError,
  gone: NotFoundError,
  rate_limited: RateLimitError,
  slow_down: RateLimitError,
}

// For responses without a known code, such as those of a proxy.
const classByStatus: Readonly<Record<number, typeof RequestError>> = {
  400: InvalidRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  410: NotFoundError,
  429: RateLimitError,
}

/** The error for a response that is not 2xx. */
export async function toRequestError(response: Response): Promise<RequestError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ApiError>
  const known = body.errorCode === undefined ? undefined : classByCode[body.errorCode]
  const Class = known ?? classByStatus[response.status] ?? RequestError
  return new Class({ ...body, status: response.status }, retryAfterMs(response.headers))
}

/** `Retry-After` is a number of seconds or an HTTP date. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1000
  // By the clock of the server, where it may be read: the clock of a client may be wrong by more than the pause.
  const now = Date.parse(headers.get('date') ?? '')
  const until = /^[A-Z][a-z]{2},/.test(value) ? Date.parse(value) : Number.NaN
  const ms = until - (Number.isNaN(now) ? Date.now() : now)
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** A job failed although none of its tasks is known to have failed: one was deleted. */
export class JobFailedError extends LatheError {
  override readonly name = 'JobFailedError'
  readonly job: Job
  readonly errorCode: Job['result']['errorCode']

  constructor(job: Job) {
    super(job.result.msg ?? `The job ${job.id} failed.`)
    this.job = job
    this.errorCode = job.result.errorCode
  }
}

/** A task of the job failed: `reason` is the detailed, stable cause. */
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
