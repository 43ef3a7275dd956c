/** What can be wrong with a request. The API maps each code to an HTTP status. */
export const problems = {
  invalid_request: 'A parameter is invalid.',
  invalid_json: 'The body is not valid JSON.',
  body_too_large: 'The body is larger than allowed.',
  upload_too_slow: 'The file arrived too slowly. Send it again, over a faster connection or at a quieter time.',
  unsupported_media_type: 'This endpoint does not support the media type of the body.',
  task_not_cancelable: 'Only a task that is created or processing can be canceled.',
  authorization_pending: 'The sign-in was not approved yet. Poll again after `interval` seconds.',
  slow_down: 'You are polling too often. Add 5 seconds to `interval` and continue.',
  access_denied: 'The sign-in was denied, or the person who approved it may no longer create API keys.',
  expired_token: 'The code is wrong, was already used, or is older than 10 minutes. Start the sign-in again.',
  device_login_off:
    'This service has no accounts, so programs cannot sign in through a browser. Use an API key instead: lathe login --key',
  unauthorized: 'The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.',
  forbidden: 'The API key does not have the scope this endpoint needs.',
  out_of_storage:
    'The file exceeds your storage limit. Delete tasks whose files you no longer need, or wait: files are deleted 4 hours after their task was created.',
  https_required: 'Plain HTTP is refused. Use https.',
  not_found: 'There is no such resource.',
  no_preview: 'There is no preview of this file.',
  link_expired: 'The link has expired. Links work for 4 hours after their task was created; convert the file again.',
  form_used: 'A file was already uploaded to this form. Create another import/upload task for another file.',
  form_expired: 'The upload form has expired. Create another import/upload task and send the file to its form.',
  gone: 'What this request created was deleted or has expired. Send the request again with a new Idempotency-Key.',
  method_not_allowed: 'This path does not support that method.',
  not_acceptable: 'This endpoint answers JSON only. Send `Accept: application/json`.',
  idempotency_conflict: 'This Idempotency-Key was used with another request. Use a new key.',
  form_busy:
    'A file is currently being uploaded to this form. Wait until it is complete, or create another import/upload task.',
  upload_moved: 'The upload is at another offset. Send a HEAD request to get it, and continue from there.',
  upload_busy: 'Another request is sending to this upload. Try again after the number of seconds in Retry-After.',
  not_offset_bytes: 'Send the bytes of an upload as `Content-Type: application/offset+octet-stream`.',
  unsupported_tus_version: 'Resumable uploads use tus 1.0.0. Send `Tus-Resumable: 1.0.0`.',
  checksum_mismatch: 'The received bytes do not match the checksum in Upload-Checksum. Send them again.',
  rate_limited: 'Too many requests. Wait for the number of seconds in Retry-After.',
  unavailable: 'The database or the storage is unavailable. Try again after the number of seconds in Retry-After.',
  internal: 'Something broke on our side. Try again later. If it keeps happening, report the request id.',
} as const

export type ProblemCode = keyof typeof problems

/** What can be wrong with a field: a closed list, so that clients can branch on it. */
export const fieldErrorCodes = ['required', 'unknown', 'unsupported', 'conflict', 'not_found', 'invalid'] as const

export type FieldErrorCode = (typeof fieldErrorCodes)[number]

/** One invalid field of a request: where it is, and what it may be. */
export interface FieldError {
  readonly path: string
  readonly msg: string
  /** Default: `invalid`. */
  readonly code?: FieldErrorCode
}

export interface ProblemDetails {
  readonly msg?: string
  readonly errors?: readonly FieldError[]
}

/** A rejected request. Thrown anywhere, turned into a response in one place of the API. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly FieldError[]

  constructor(code: ProblemCode, { msg, errors = [] }: ProblemDetails = {}, cause?: unknown) {
    super(msg ?? problems[code], { cause })
    this.code = code
    this.errors = errors
  }
}

/** A request rejected because of one field. */
export function invalidField(path: string, msg: string, code: FieldErrorCode = 'invalid'): Problem {
  return new Problem('invalid_request', { msg: `${path}: ${msg}`, errors: [{ path, msg, code }] })
}
