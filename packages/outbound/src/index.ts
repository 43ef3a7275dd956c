export { isPublic } from './address.ts'
export type { Agents } from './agents.ts'
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
export type { SendOptions, SentAnswer } from './send.ts'
export { TransferFailed } from './transfer-failed.ts'
