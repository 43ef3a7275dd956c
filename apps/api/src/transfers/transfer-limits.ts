import type { TransferLimits } from '@lathe/runtime'
import type { HttpConfig } from '../config.ts'

// A client this fast keeps its slot even if others wait.
const safeUploadRate = 1024 * 1024
const safeDownloadRate = 128 * 1024
// The kernel buffers up to 4 MB of a download, so a slow client reads from us in large pieces, a minute apart.
const downloadWindows = 4
// Enough for a backend that sends all its files at once.
const waitingPerSlot = 4

/** The limits of uploads. */
export function uploadLimits(http: HttpConfig): TransferLimits {
  const { uploadsAtOnce: atOnce, uploadsPerOwner: perOwner, uploadMaxMs: maxMs } = http
  return {
    ...sharedLimits(http, { atOnce, perOwner }),
    ...{ perItem: 1, itemIsExclusive: true, maxMs, safeRate: safeUploadRate },
  }
}

/** The limits of downloads. */
export function downloadLimits(http: HttpConfig): TransferLimits {
  const { downloadsAtOnce: atOnce, downloadsPerOwner: perOwner, downloadsPerLink: perItem } = http
  const windowMs = http.rateWindowMs * downloadWindows
  return { ...sharedLimits(http, { atOnce, perOwner }), perItem, windowMs, safeRate: safeDownloadRate }
}

function sharedLimits(
  { minRate, rateWindowMs: windowMs, slotWaitMs: waitMs, slotGraceMs: graceMs }: HttpConfig,
  { atOnce, perOwner }: Pick<TransferLimits, 'atOnce' | 'perOwner'>,
) {
  const line = { waiting: atOnce * waitingPerSlot, waitingPerOwner: perOwner * waitingPerSlot, waitMs }
  return { atOnce, perOwner, ...line, minRate, windowMs, graceMs }
}
