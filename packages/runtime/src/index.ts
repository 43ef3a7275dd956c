export { type Clock, systemClock } from './clock.ts'
export { metricsConfig, metricsEnv, runtimeConfig, runtimeEnv, tracesConfig, tracesEnv } from './config.ts'
export { withDeadline } from './deadline.ts'
export { readEnv, secretVariable } from './env.ts'
export { forEachPageSafely, forEachSafely } from './for-each-safely.ts'
export { afterGrace, cleanUpSignal } from './grace.ts'
export { createIds } from './ids.ts'
export {
  createKeyRing,
  deriveKeys,
  formatKeys,
  type Key,
  type KeyRing,
  type Keys,
  purposesOf,
  type Role,
} from './keys.ts'
export { createLog, type Logger, redactUrl, silentLog } from './log.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { openTraces } from './open-traces.ts'
export { createSealer, type Sealer, SealingKeyMissing } from './sealer.ts'
export { revealText, Secret } from './secret.ts'
export { serveMetrics } from './serve-metrics.ts'
export { startUnlessStopped, untilStopped } from './stop.ts'
export { attemptSpanId, formatTraceParent, noSpan, parseTraceParent, type Span, type Traces, traced } from './traces.ts'
export {
  createTransferSlots,
  type EndCause,
  type Transfer,
  type TransferLimits,
  type TransferSlots,
} from './transfer-slots.ts'
