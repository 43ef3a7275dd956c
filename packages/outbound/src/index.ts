export type { Agents } from './agents.ts'
export { judgeStatus } from './answer.ts'
export { type OutboundLimits, outboundConfig, outboundEnv, type ProxyLimits, warnOfOpenRanges } from './config.ts'
export type { Dial } from './dial.ts'
export {
  createOutbound,
  type GetOptions,
  type Outbound,
  type OutboundDoors,
  type OutboundResponse,
} from './outbound.ts'
export type { ProxyReport } from './proxy/open-proxy.ts'
export { placeOf } from './proxy/proxy-target.ts'
export type { Purpose } from './purposes.ts'
export type { RequestAnswer, RequestOptions } from './request.ts'
export type { SentAnswer } from './send.ts'
export { TransferFailed } from './transfer-failed.ts'
export { createUrlRule, type UrlRule } from './url-rule.ts'
