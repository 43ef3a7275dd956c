export { isPublic } from './address.ts'
export { defaultLimits, type OutboundConfig, type OutboundLimits, outboundConfig, outboundEnv } from './config.ts'
export type { Connection, Dial } from './dial.ts'
export {
  createOutbound,
  type GetOptions,
  type Outbound,
  type OutboundParts,
  type OutboundResponse,
} from './outbound.ts'
export type { Resolve } from './resolve.ts'
export { TransferFailed } from './transfer-failed.ts'
