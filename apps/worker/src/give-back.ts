import type { Lane } from '@lathe/domain'

/** Why: no engine became free in time; it will take long; the storage or the scratch disk does not serve. */
export type GiveBackReason = 'no_engine' | 'long' | 'storage' | 'disk'

/** Ends a run without a verdict: its task goes back to the queue, because another worker or a later time may suit it. */
export class GiveBack extends Error {
  override readonly name = 'GiveBack'
  readonly reason: GiveBackReason
  readonly lane: Lane | undefined
  readonly delayMs: number

  constructor(
    reason: GiveBackReason,
    { lane, delayMs = 0, cause }: { lane?: Lane; delayMs?: number; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.reason = reason
    this.lane = lane
    this.delayMs = delayMs
  }
}
