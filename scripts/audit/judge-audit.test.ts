import { describe, expect, it } from 'vitest'
import { type AuditReport, judgeAudit } from './judge-audit.ts'

const url = 'https://example.org/advisories/1'
const report = (severity: string): AuditReport => ({
  vulnerabilities: {
    // What depends on it names it only.
    parent: { via: ['left'] },
    left: { via: [{ name: 'left', title: 'Reads any file', url, severity }] },
  },
})
const exception = { url, why: 'we read no files with it', until: '2026-06-30' }

describe('S17: the audit of what runs in production', () => {
  it.each(['high', 'critical'])('fails on one of severity %s', (severity) => {
    expect(judgeAudit(report(severity), [], '2026-06-01')).toEqual([`left: ${severity}: Reads any file (${url})`])
  })

  it.each(['low', 'moderate'])('passes one of severity %s', (severity) => {
    expect(judgeAudit(report(severity), [], '2026-06-01')).toEqual([])
  })

  it('heeds a written exception until its day is over', () => {
    expect(judgeAudit(report('high'), [exception], '2026-06-30')).toEqual([])
    expect(judgeAudit(report('high'), [exception], '2026-07-01')).toHaveLength(1)
  })

  it('fails on an exception that nothing needs any more', () => {
    expect(judgeAudit({ vulnerabilities: {} }, [exception], '2026-06-01')).toEqual([
      `the exception for ${url} is not needed`,
    ])
  })
})
