import { describe, expect, it } from 'vitest'
import { pathsOf } from '../testing/faults-of.ts'
import { parseJobToken } from './parse-job-token.ts'

const now = new Date('2026-01-01T12:00:00Z')
const job = { createdAt: new Date('2026-01-01T10:00:00Z') }

describe('a job token', () => {
  it('works as long as the record of its job unless it is given less', () => {
    expect(parseJobToken(undefined, job, now)).toEqual({ name: null, expiresAt: new Date('2026-01-02T10:00:00Z') })
    const body = { name: 'for Ada', expiresAt: '2026-01-01T13:00:00Z' }
    expect(parseJobToken(body, job, now)).toEqual({ name: 'for Ada', expiresAt: new Date('2026-01-01T13:00:00Z') })
  })

  it.each([
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ expiresAt: '2026-01-01T11:59:59Z' }, 'expiresAt'],
    [{ expiresAt: '2026-01-02T10:00:01Z' }, 'expiresAt'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ scopes: ['task.write'] }, 'scopes'],
  ])('is refused as %j, and %s is named [D-http-76]', (body, path) => {
    expect(pathsOf(() => parseJobToken(body, job, now))).toEqual([path])
  })
})
