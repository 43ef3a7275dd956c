import type { Lane } from '@lathe/domain'
import type { EngineName } from '@lathe/sandbox'

/**
 * Why: no engine became free in time; it will take long; the storage, the scratch disk or the engine host does not serve; the
 * engine cannot run here.
 */
export type GiveBackReason = 'no_engine' | 'long' | 'storage' | 'disk' | 'engine_host' | 'engine_not_here'

/** Ends a run without a verdict: its task goes back to the queue, because another worker or a later time may suit it. */
export class GiveBack extends Error {
  override readonly name = 'GiveBack'
  readonly reason: GiveBackReason
  readonly lane: Lane | undefined
  readonly delayMs: number
  /** The engine that this worker cannot run. */
  readonly needs: EngineName | undefined

  constructor(
    reason: GiveBackReason,
    { lane, delayMs = 0, needs, cause }: { lane?: Lane; delayMs?: number; needs?: EngineName; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.reason = reason
    this.lane = lane
    this.delayMs = delayMs
    this.needs = needs
  }
}
