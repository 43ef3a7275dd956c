import { problems } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { errorCodesOf, httpErrorCodes, problemStatus } from './http-errors.ts'
import { errorCodeList } from './openapi/shared-parts.ts'
import { isValid } from './parse/check-fields.ts'
import { ErrorView } from './schemas/error-view.ts'

describe('HTTP-level errors', () => {
  it('use only the statuses of the API, 410 and 503, and those of tus [S-err-01, D-http-08]', () => {
    const ofTus = [412, 415, 423, 460]
    const own = [400, 401, 403, 404, 405, 406, 409, 410, 429, 500, 503]
    expect([...new Set(Object.values(problemStatus))].sort()).toEqual([...own, ...ofTus].sort())
  })

  it('use 409 for a reused Idempotency-Key, and in tus for another offset [D-http-57]', () => {
    expect(errorCodesOf(409)).toEqual(['idempotency_conflict', 'upload_moved'])
  })

  it('answer 400 to what is too large or of the wrong media type [D-http-09]', () => {
    expect(errorCodesOf(400)).toEqual(expect.arrayContaining(['body_too_large', 'unsupported_media_type']))
  })

  it('have codes of a closed, documented list [D-http-26]', () => {
    expect(httpErrorCodes).toEqual(Object.keys(problems))
    for (const code of httpErrorCodes) expect(errorCodeList()).toContain(`- \`${code}\` (${problemStatus[code]}):`)
  })

  it('answer status, errorCode, msg, requestId, and errors where fields are at fault [D-http-25, D-http-65]', () => {
    const body = { status: 400, errorCode: 'invalid_request', msg: 'a: b', requestId: 'r' }
    expect(isValid(ErrorView, body)).toBe(true)
    expect(isValid(ErrorView, { ...body, errors: [{ path: 'a', code: 'invalid', msg: 'b' }] })).toBe(true)
    expect(isValid(ErrorView, { ...body, errorCode: 'other' })).toBe(false)
    expect(isValid(ErrorView, { ...body, stack: '' })).toBe(false)
  })
})
