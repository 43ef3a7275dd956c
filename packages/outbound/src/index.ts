export { isPublic } from './address.ts'
export type { Agents } from './agents.ts'
export { judgeStatus } from './answer.ts'
export {
  defaultLimits,
  defaultProxyLimits,
  type OutboundConfig,
  type OutboundLimits,
  outboundConfig,
  outboundEnv,
  type ProxyLimits,
  warnOfOpenRanges,
} from './config.ts'
export type { Connection, Dial } from './dial.ts'
export {
  createOutbound,
  type GetOptions,
  type Outbound,
  type OutboundDoors,
  type OutboundParts,
  type OutboundResponse,
  type ProxyOptions,
} from './outbound.ts'
export type { EgressProxy, ProxyReport } from './proxy/open-proxy.ts'
export { placeOf } from './proxy/proxy-target.ts'
export { type Purpose, purposes } from './purposes.ts'
export type { RequestAnswer, RequestOptions } from './request.ts'
export type { Resolve } from './resolve.ts'
export type { SendOptions, SentAnswer } from './send.ts'
export { TransferFailed } from './transfer-failed.ts'
export { createUrlRule, type UrlRule } from './url-rule.ts'
