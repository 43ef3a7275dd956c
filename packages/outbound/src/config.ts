import type { Logger } from '@lathe/runtime'
import { type Static, Type } from 'typebox'
import { parseAllowed, parseDenied } from './place-list.ts'
import type { PlaceLists } from './rules.ts'

/** How long a remote host may take, and how much it may send. */
export interface OutboundLimits {
  /** Resolving, connecting and the TLS handshake together. */
  readonly connectMs: number
  /** The time until the response headers are complete, and the longest pause between two chunks of the body. */
  readonly idleMs: number
  /** Bytes per second that the source must deliver, over each whole `rateWindowMs` spent waiting for it. */
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
  // The default of nginx and Node. A presigned redirect target is about 2 KiB.
  maxHeaderSize: 16 * 1024,
  maxRedirects: 5,
}

/** How much one proxy lets through. */
export interface ProxyLimits {
  /** Plain requests and tunnels. Requests inside a tunnel cannot be counted. */
  readonly requests: number
  /** Bytes of both directions together. */
  readonly bytes: number
  /** Connections to the proxy at once. */
  readonly connections: number
}

/** Enough for a heavy page: the median page makes 70 requests for 2.5 MB. */
export const defaultProxyLimits: ProxyLimits = { requests: 500, bytes: 100_000_000, connections: 64 }

export interface OutboundConfig extends PlaceLists {
  readonly limits?: Partial<OutboundLimits>
}

export const outboundEnv = Type.Object({
  OUTBOUND_ALLOW: Type.String({
    default: '',
    description:
      'Destinations that are allowed although they are not public, separated by commas. Write purpose=host:port, such as objstore_a=minio.internal:9000,webhook=10.20.0.0/16; purposes are url, webpage, objstore_a, objstore_b, blobstore, sftp (imports and exports), webhook, oidc and smtp. A range without a purpose, such as 10.20.0.0/16, is open to all of them, for every owner. Empty: public addresses only',
  }),
  OUTBOUND_DENY: Type.String({
    default: '',
    description:
      'Destinations that are always denied, even if they are public or allowed, separated by commas: host, *.domain, address or CIDR range, each with a port or without, for one purpose or for all, such as 203.0.113.0/24,webpage=*.example.com',
  }),
})

/** Reads the outbound settings. Throws on an invalid entry. */
export function outboundConfig(env: Static<typeof outboundEnv>): OutboundConfig {
  const allow = toList(env.OUTBOUND_ALLOW)
  const deny = toList(env.OUTBOUND_DENY)
  for (const entry of allow) parseAllowed(entry)
  for (const entry of deny) parseDenied(entry)
  return { allow, deny }
}

/** Warns about ranges that are open to all purposes: every owner's imports and browsers can reach the hosts in them. */
export function warnOfOpenRanges({ allow }: OutboundConfig, log: Pick<Logger, 'warn'>): void {
  const ranges = allow.filter((entry) => parseAllowed(entry).purpose === undefined)
  if (ranges.length > 0)
    log.warn({ ranges }, 'OUTBOUND_ALLOW opens these ranges to all purposes: narrow them to purpose=host:port')
}

const toList = (text: string) => text.split(',').flatMap((entry) => entry.trim() || [])
