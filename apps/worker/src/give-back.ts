import type { EngineFamily, Lane } from '@lathe/domain'

/**
 * The reason: no engine became free in time; the task will take long; the storage, the scratch disk or the engine host
 * is unavailable; other workers have its engines; other transfers waited for a slow one.
 */
export type GiveBackReason =
  | 'no_engine'
  | 'long'
  | 'storage'
  | 'disk'
  | 'engine_host'
  | 'engine_not_here'
  | 'slow_transfer'

/** Ends a run without a result: its task is requeued, because another worker or a later time may suit it. */
export class GiveBack extends Error {
  override readonly name = 'GiveBack'
  readonly reason: GiveBackReason
  readonly lane: Lane | undefined
  readonly delayMs: number
  /** The engine family it needs, which this worker does not serve. */
  readonly needs: EngineFamily | undefined
  /** Whether the task's files do not fit into the scratch space of this worker. */
  readonly isOverScratch: boolean

  constructor(
    reason: GiveBackReason,
    {
      lane,
      delayMs = 0,
      needs,
      isOverScratch = false,
      cause,
    }: { lane?: Lane; delayMs?: number; needs?: EngineFamily; isOverScratch?: boolean; cause?: unknown } = {},
  ) {
    super(reason, { cause })
    this.reason = reason
    this.lane = lane
    this.delayMs = delayMs
    this.needs = needs
    this.isOverScratch = isOverScratch
  }
}
