import { pageLimits, toPrintParameters } from '@lathe/engines'
import { captureBounds, captureFormat, printBounds } from '@lathe/operations'
import type { JsonObject } from '@lathe/sandbox'
import type { Asked } from '../connector.ts'
import { toCaptureRequest } from './capture-request.ts'
import { toHeaderFooter } from './header-footer.ts'
import { scrollMs } from './limits.ts'

/** How a page is captured. */
export type CaptureFields = Omit<Asked<'capture'>, 'url' | 'filename'>

/** The request of a `capture` to the browser: opens the page like `import/webpage`, then prints or draws it. */
export function toShotRequest(url: string, fields: CaptureFields): JsonObject {
  const format = captureFormat(fields)
  const media = fields.media ?? (format === 'pdf' ? 'print' : 'screen')
  const isWhole = fields.full_page !== false
  return {
    ...toCaptureRequest(url, { ...fields, media }),
    output: `page.${format}`,
    ...(fields.wait_for !== undefined && {
      waitFor: { selector: fields.wait_for, ms: captureBounds.waitForMs },
    }),
    // A capture of the whole page must also show what loads only when it becomes visible.
    ...(isWhole && { scroll: { ms: scrollMs, maxHeight: pageLimits.height } }),
    ...toTake(format, fields, isWhole),
  }
}

function toTake(format: string, fields: CaptureFields, isWhole: boolean): JsonObject {
  if (format === 'mhtml') return {}
  if (format === 'pdf') return { take: { print: { ...toPrintParameters(fields), ...toHeaderFooter(fields) } } }
  const size = { isWhole, maxHeight: pageLimits.height }
  if (format === 'png') return { take: { picture: { format, ...size } } }
  const quality = fields.quality ?? printBounds.quality.byDefault
  return { take: { picture: { format: 'jpeg', quality, ...size } } }
}
