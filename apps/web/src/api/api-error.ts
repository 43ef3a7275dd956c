import type { ErrorBody } from '@lathe/contract'

/** A request that was refused or did not reach the service. */
export class ApiError extends Error {
  readonly status: number
  /** The error code of the answer, or `offline` without an answer. */
  readonly code: string
  readonly fields: NonNullable<ErrorBody['errors']>
  readonly retryAfterS: number | undefined
  readonly requestId: string | undefined

  constructor(status: number, body: Partial<ErrorBody>, retryAfterS?: number) {
    super(body.msg ?? `HTTP ${status}`)
    this.status = status
    this.code = body.errorCode ?? (status === 0 ? 'offline' : 'internal')
    this.fields = body.errors ?? []
    this.retryAfterS = retryAfterS
    this.requestId = body.requestId
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    const isUploadMoving = this.code === 'upload_moved' || this.code === 'upload_busy'
    return this.status === 0 || this.status === 429 || this.status >= 502 || isUploadMoving
  }
}

/** Converts a non-2xx response to an error. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorBody>
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError(response.status, body, Number.isFinite(after) ? after : undefined)
}

export function toError(cause: unknown): ApiError {
  return cause instanceof ApiError ? cause : new ApiError(0, { msg: cause instanceof Error ? cause.message : '' })
}
