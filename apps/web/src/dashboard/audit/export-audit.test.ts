import type { AuditEntry } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { parseAuditFilter, toAuditQuery } from './audit-filter.ts'
import { toFile } from './export-audit.ts'

const entry = (more: object) =>
  ({
    id: 'i',
    action: 'key.created',
    userId: null,
    via: 'host',
    viaId: null,
    subjectId: null,
    detail: {},
    address: null,
    createdAt: '2026-01-31T12:00:00Z',
    ...more,
  }) as AuditEntry

describe('the export of the audit log', () => {
  it('is CSV with quotes where they are needed, and no formulas', () => {
    const text = toFile([entry({ detail: { name: 'a "b", c' } }), entry({ address: '=HYPERLINK("x")' })], 'csv')
    expect(text.split('\r\n')).toEqual([
      'createdAt,action,userId,via,viaId,subjectId,address,detail,id',
      `2026-01-31T12:00:00Z,key.created,,host,,,,"{""name"":""a \\""b\\"", c""}",i`,
      `2026-01-31T12:00:00Z,key.created,,host,,,"'=HYPERLINK(""x"")",{},i`,
      '',
    ])
  })

  it('is an object a line as JSON lines', () => {
    const text = toFile([entry({}), entry({ detail: { name: 'a\nb' } })], 'jsonl')
    const lines = text.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ detail: { name: 'a\nb' } })
  })
})

describe('the filter of the audit log', () => {
  it('includes the last day, and leaves out what has no meaning', () => {
    const filter = parseAuditFilter({ action: 'key.created', from: '2026-01-30', to: '2026-01-31', user: 'ada' })
    expect(filter).toEqual({ action: 'key.created', from: '2026-01-30', to: '2026-01-31' })
    expect(toAuditQuery(filter, 50).get('to')).toBe('2026-02-01T00:00:00.000Z')
    expect(parseAuditFilter({ action: 'everything', to: 'soon', after: 'x' })).toEqual({})
  })
})
