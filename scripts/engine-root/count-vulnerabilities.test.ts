import { describe, expect, it } from 'vitest'
import { countVulnerabilities } from './count-vulnerabilities.ts'

describe('S6: the known vulnerabilities of an engine root', () => {
  it('are counted by urgency and by whether there is a fix, once for all packages of a source', () => {
    const counts = countVulnerabilities(
      [
        'CVE-2026-0001 libheif1 (fixed, remotely exploitable, high urgency)',
        'CVE-2026-0001 libheif-dev (fixed, remotely exploitable, high urgency)',
        'CVE-2026-0002 ffmpeg (remotely exploitable, medium urgency)',
        'CVE-2026-0003 ghostscript (low urgency)',
        'CVE-2026-0004 ghostscript',
        'TEMP-0000000-F41FA7 librsvg2-2 (fixed)',
        '',
      ].join('\n'),
    )
    expect(counts.filter(({ count }) => count > 0)).toEqual([
      { urgency: 'high', fix: 'available', count: 1 },
      { urgency: 'medium', fix: 'none', count: 1 },
      { urgency: 'low', fix: 'none', count: 1 },
      { urgency: 'unknown', fix: 'available', count: 1 },
      { urgency: 'unknown', fix: 'none', count: 1 },
    ])
    expect(counts).toHaveLength(8)
  })

  it('are not counted from anything else', () => {
    expect(() => countVulnerabilities('error: while downloading: no such host is known')).toThrow('something else')
  })
})
