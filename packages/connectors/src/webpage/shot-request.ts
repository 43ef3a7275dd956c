import { pageLimits, toPrintParameters } from '@lathe/engines'
import { captureBounds, captureFormat, printBounds } from '@lathe/operations'
import type { JsonObject } from '@lathe/sandbox'
import { toCaptureRequest } from './capture-request.ts'
import { toHeaderFooter } from './header-footer.ts'
import { scrollMs } from './limits.ts'

type Payload = Readonly<Record<string, unknown>>

/** What the browser is asked for by a `capture`: the page as `import/webpage` opens it, and what to make of it. */
export function toShotRequest(url: string, payload: Payload): JsonObject {
  const format = captureFormat(payload)
  const media = payload.media ?? (format === 'pdf' ? 'print' : 'screen')
  const isWhole = payload.full_page !== false
  return {
    ...toCaptureRequest(url, { ...payload, media }),
    output: `page.${format}`,
    ...(typeof payload.wait_for === 'string' && {
      waitFor: { selector: payload.wait_for, ms: captureBounds.waitForMs },
    }),
    // Whatever shows all of a page shows what it loads only when it is seen.
    ...(isWhole && { scroll: { ms: scrollMs, maxHeight: pageLimits.height } }),
    ...toTake(format, payload, isWhole),
  }
}

function toTake(format: string, payload: Payload, isWhole: boolean): JsonObject {
  if (format === 'mhtml') return {}
  if (format === 'pdf') return { take: { print: { ...toPrintParameters(payload), ...toHeaderFooter(payload) } } }
  const size = { isWhole, maxHeight: pageLimits.height }
  if (format === 'png') return { take: { picture: { format, ...size } } }
  const quality = Number(payload.quality ?? printBounds.quality.byDefault)
  return { take: { picture: { format: 'jpeg', quality, ...size } } }
}
