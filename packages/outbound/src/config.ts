import { type Static, Type } from 'typebox'
import { parseRange } from './address.ts'

/** How long and how much a foreign host may take. */
export interface OutboundLimits {
  /** Resolving, connecting and the TLS handshake together. */
  readonly connectMs: number
  /** The answer's headers must be complete, and each next piece of the body must come, within this. */
  readonly idleMs: number
  /** Bytes a second the source must bring, counted over each whole `rateWindowMs` spent waiting for it. */
  readonly minRate: number
  readonly rateWindowMs: number
  readonly maxHeaderSize: number
  readonly maxRedirects: number
}

export const defaultLimits: OutboundLimits = {
  connectMs: 10_000,
  idleMs: 30_000,
  minRate: 1024,
  rateWindowMs: 60_000,
  // What nginx and Node allow by default; a presigned redirect target is about 2 KiB.
  maxHeaderSize: 16 * 1024,
  maxRedirects: 5,
}

/** How much one proxy lets through. */
export interface ProxyLimits {
  /** Plain requests and tunnels; what is asked inside a tunnel cannot be counted. */
  readonly requests: number
  /** Bytes of both directions together. */
  readonly bytes: number
  /** Connections to the proxy at once. */
  readonly connections: number
}

/** Enough for a heavy page: the median one asks 70 times for 2.5 MB. */
export const defaultProxyLimits: ProxyLimits = { requests: 500, bytes: 100_000_000, connections: 64 }

export interface OutboundConfig {
  /** Address ranges that may be reached although they are not public, as CIDR. */
  readonly allow: readonly string[]
  readonly limits?: Partial<OutboundLimits>
}

export const outboundEnv = Type.Object({
  OUTBOUND_ALLOW: Type.String({
    default: '',
    description:
      'Address ranges that imports may reach although they are not public: CIDR, separated by commas, such as 10.20.0.0/16,fd12::/32. Empty: public addresses only',
  }),
})

/** Reads the outbound settings; throws on a range that is not CIDR. */
export function outboundConfig(env: Static<typeof outboundEnv>): OutboundConfig {
  const allow = env.OUTBOUND_ALLOW.split(',').flatMap((entry) => entry.trim() || [])
  for (const range of allow) parseRange(range)
  return { allow }
}
