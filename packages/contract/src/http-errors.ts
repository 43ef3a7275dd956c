import { type ProblemCode, problems } from '@lathe/domain'

/** The HTTP status of every problem. Exhaustive on purpose: a new problem does not compile until it has one. */
export const problemStatus = {
  invalid_request: 400,
  invalid_json: 400,
  body_too_large: 400,
  upload_too_slow: 400,
  unsupported_media_type: 400,
  task_not_cancelable: 400,
  // Codes and statuses of RFC 8628.
  authorization_pending: 400,
  slow_down: 400,
  access_denied: 400,
  expired_token: 400,
  device_login_off: 400,
  unauthorized: 401,
  forbidden: 403,
  out_of_storage: 403,
  https_required: 403,
  not_found: 404,
  no_preview: 404,
  link_expired: 404,
  form_used: 404,
  form_expired: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  idempotency_conflict: 409,
  upload_moved: 409,
  gone: 410,
  unsupported_tus_version: 412,
  not_offset_bytes: 415,
  upload_busy: 423,
  form_busy: 429,
  rate_limited: 429,
  // Defined by the tus protocol.
  checksum_mismatch: 460,
  internal: 500,
  unavailable: 503,
} as const satisfies Record<ProblemCode, number>

/** The closed list of HTTP-level error codes. */
export const httpErrorCodes = Object.keys(problems) as ProblemCode[]

/** The error codes with a given status. */
export function errorCodesOf(status: number): readonly ProblemCode[] {
  return httpErrorCodes.filter((code) => problemStatus[code] === status)
}
