import { type Failure, failure, isFailure } from '@lathe/domain'
import { pageLimits } from '@lathe/engines'
import { captureBounds } from '@lathe/operations'
import { judgeStatus, type ProxyReport, placeOf } from '@lathe/outbound'
import type { JsonObject } from '@lathe/sandbox'

/** What the browser reports about a page. The page may have compromised the browser, so it may be any value. */
export interface Captured {
  readonly title: string | undefined
  readonly isLate: boolean
  /** Whether the awaited element never appeared. */
  readonly isMissing: boolean
  /** Whether the page was too long for an image. */
  readonly isCut: boolean
}

/** Combines the browser's answer with the proxy's report: returns why there is no page, or what is known about it. */
export function judgeCapture(result: JsonObject, { failures, spent }: ProxyReport): Captured | Failure {
  const { documentUrl, status, error, title, isLate, isMissing, isCut } = result
  const place = typeof documentUrl === 'string' ? placeOf(documentUrl) : undefined
  const hasPage = error === undefined && typeof status === 'number' && status < 400
  if (hasPage) {
    const facts = { isLate: isLate === true, isMissing: isMissing === true, isCut: isCut === true }
    return { title: typeof title === 'string' ? title : undefined, ...facts }
  }
  // The browser sees a refusal of the proxy as an ordinary response.
  const refused = place === undefined ? undefined : failures.get(place)
  if (refused) return refused
  if (spent !== undefined) return failure('limit_exceeded', { detail: `proxy: ${spent}` })
  if (typeof status === 'number' && error === undefined) return judgeAnswer(status)
  return judgeError(error)
}

function judgeAnswer(status: number): Failure {
  const verdict = judgeStatus(status)
  return isFailure(verdict) ? verdict : failure('source_refused', { detail: `status ${status}` })
}

// The browser aborts downloads and responses without content.
function judgeError(error: unknown): Failure {
  const detail = typeof error === 'string' ? error.slice(0, 100) : 'no answer'
  if (detail !== 'net::ERR_ABORTED') return failure('source_unreachable', { detail })
  return failure('source_refused', { detail, text: 'The URL is not a web page. Use import/url to import a file.' })
}

// Enough to see what is missing. A page can request any number of hosts.
const maxNamed = 5

/** Warnings for the owner about an incomplete page. */
export function warningsOf(
  { isLate, isMissing, isCut }: Captured,
  { failures, spent }: ProxyReport,
): readonly string[] {
  const forbidden = [...failures].filter(([, { code }]) => code === 'url_forbidden').map(([place]) => place)
  const named = forbidden.slice(0, maxNamed).join(', ')
  const more = forbidden.length > maxNamed ? ` and ${forbidden.length - maxNamed} more` : ''
  return [
    ...(isLate ? ['The page had not finished loading in time, and was taken as it was.'] : []),
    ...(isMissing
      ? [`No element matched wait_for within ${captureBounds.waitForMs / 1000} seconds; the page was taken as it was.`]
      : []),
    ...(isCut ? [`The page is longer than ${pageLimits.height} pixels, and was cut there.`] : []),
    ...(named === ''
      ? []
      : [`The page asked for places this service may not reach; they were left out: ${named}${more}.`]),
    ...(spent === undefined ? [] : ['The page asked for more than a page may; the rest was left out.']),
  ]
}
