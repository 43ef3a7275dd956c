import { failure } from '@lathe/domain'
import type { ProxyReport } from '@lathe/outbound'
import { describe, expect, it } from 'vitest'
import { judgeCapture, warningsOf } from './judge-capture.ts'

const report = (failures: ProxyReport['failures'] = new Map(), spent?: ProxyReport['spent']): ProxyReport => ({
  requests: 1,
  bytes: 1,
  spent,
  failures,
})
const page = 'https://pages.example/a'
const forbidden = failure('url_forbidden', { detail: 'address' })

describe('the result of loading a page', () => {
  it('is a page with its title', () => {
    expect(judgeCapture({ documentUrl: page, status: 200, title: 'A', isLate: false }, report())).toEqual({
      title: 'A',
      isLate: false,
      isMissing: false,
      isCut: false,
    })
  })

  it.each([
    [401, 'source_unauthorized'],
    [403, 'source_forbidden'],
    [404, 'source_not_found'],
    [410, 'source_not_found'],
    [429, 'source_unreachable'],
    [500, 'source_unreachable'],
    [503, 'source_unreachable'],
    [418, 'source_refused'],
  ])('for status %i is %s [S-imp-26]', (status, code) => {
    expect(judgeCapture({ documentUrl: page, status }, report())).toMatchObject({ code })
  })

  it.each([
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'source_unreachable'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'source_unreachable'],
    ['timeout', 'source_unreachable'],
    ['net::ERR_ABORTED', 'source_refused'],
  ])('for the error %s is %s', (error, code) => {
    expect(judgeCapture({ documentUrl: page, error }, report())).toMatchObject({ code })
  })

  it('is the reason of the proxy, if it blocked the document', () => {
    const refused = report(new Map([['pages.example:443', forbidden]]))
    expect(judgeCapture({ documentUrl: page, error: 'net::ERR_TUNNEL_CONNECTION_FAILED' }, refused)).toBe(forbidden)
    expect(judgeCapture({ documentUrl: page, status: 403 }, refused)).toBe(forbidden)
    expect(judgeCapture({ documentUrl: page, error: 'x' }, report(new Map(), 'bytes'))).toMatchObject({
      code: 'limit_exceeded',
    })
  })

  it.each([{}, { status: '200' }, { status: 200, error: 7 }, { documentUrl: 7, error: {} }, { status: null }])(
    'is no page if the browser reports %j',
    (result) => {
      expect(judgeCapture(result, report())).toMatchObject({ kind: 'failure' })
    },
  )

  it('drops a title that is not a string, and facts that are not boolean', () => {
    const result = { documentUrl: page, status: 200, title: { a: 1 }, isMissing: 'yes', isCut: 1 }
    expect(judgeCapture(result, report())).toEqual({
      title: undefined,
      isLate: false,
      isMissing: false,
      isCut: false,
    })
  })
})

describe('the warnings of a page', () => {
  const captured = { title: 'A', isLate: false, isMissing: false, isCut: false }

  it('are none for a whole page', () => {
    expect(warningsOf(captured, report())).toEqual([])
  })

  it('name the first blocked hosts, and how many more there are', () => {
    const places = Array.from({ length: 7 }, (_, n) => [`10.0.0.${n}:80`, forbidden] as const)
    const gone = ['gone.example:80', failure('source_unreachable')] as const
    const [warning = ''] = warningsOf(captured, report(new Map([gone, ...places])))
    expect(warning).toContain('10.0.0.0:80, 10.0.0.1:80, 10.0.0.2:80, 10.0.0.3:80, 10.0.0.4:80 and 2 more')
    expect(warning).not.toContain('gone')
  })

  it('mention a page that loaded too late and exhausted limits', () => {
    expect(warningsOf({ ...captured, isLate: true }, report(new Map(), 'requests'))).toEqual([
      expect.stringContaining('not finished loading'),
      expect.stringContaining('more than a page may'),
    ])
  })

  it('mention a missing element and a cropped page', () => {
    expect(warningsOf({ ...captured, isMissing: true, isCut: true }, report())).toEqual([
      'No element matched wait_for within 10 seconds; the page was taken as it was.',
      'The page is longer than 16384 pixels, and was cut there.',
    ])
  })
})
