import { describe, expect, it } from 'vitest'
import { parseAuditQuery } from './parse-audit-query.ts'

describe('the query of the audit log', () => {
  it('asks for all unless it says otherwise', () => {
    expect(parseAuditQuery({})).toEqual({ page: 1, limit: 50, offset: 0 })
  })

  it('names action, user and times', () => {
    const user = 'ab'.repeat(12)
    expect(
      parseAuditQuery({ action: 'key.created', user, from: '2026-01-31', to: '2026-02-01T12:00:00Z' }),
    ).toMatchObject({
      action: 'key.created',
      userId: user,
      from: new Date('2026-01-31'),
      to: new Date('2026-02-01T12:00:00Z'),
    })
  })

  it.each([
    [{ action: 'everything' }, 'action'],
    [{ user: 'ada' }, 'user'],
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
  ])('is refused as %j, and %s is named', (query, field) => {
    expect(() => parseAuditQuery(query)).toThrow(field)
  })
})
