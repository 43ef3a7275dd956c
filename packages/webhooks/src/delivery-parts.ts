import type { Links } from '@lathe/contract'
import type { Database } from '@lathe/database'
import type { IdMint } from '@lathe/domain'
import type { Outbound } from '@lathe/outbound'
import type { Clock, Logger, Metrics, Sealer, Traces } from '@lathe/runtime'

/** How many deliveries run at the same time, and how long a receiver may take. */
export interface DeliveryLimits {
  /** Per owner, in all processes together. */
  readonly perOwner: number
  /** Per process. */
  readonly atOnce: number
  readonly timeoutMs: number
  /** After this, another process claims a delivery whose process died. */
  readonly leaseMs: number
  readonly pollMs: number
}

export const defaultDeliveryLimits: DeliveryLimits = {
  perOwner: 16,
  atOnce: 256,
  timeoutMs: 15_000,
  leaseMs: 60_000,
  pollMs: 500,
}

/** What deliveries need. */
export interface DeliveryParts {
  readonly database: Database
  readonly outbound: Pick<Outbound, 'send'>
  readonly sealer: Sealer
  readonly ids: IdMint
  readonly clock: Clock
  /** Creates URLs for bodies, valid from now. */
  readonly links: () => Links
  readonly publicUrl: string
  readonly allowHttp: boolean
  readonly limits: DeliveryLimits
  readonly log: Logger
  readonly metrics: Metrics
  readonly traces?: Traces
  /** From 0 to 1. */
  readonly chance?: () => number
}
