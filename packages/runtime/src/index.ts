export { type Clock, systemClock } from './clock.ts'
export {
  type MetricsConfig,
  metricsConfig,
  metricsEnv,
  type RuntimeConfig,
  runtimeConfig,
  runtimeEnv,
  type TracesConfig,
  tracesConfig,
  tracesEnv,
} from './config.ts'
export { DeadlineExceeded, withDeadline } from './deadline.ts'
export { readEnv, secretVariable } from './env.ts'
export { afterGrace, cleanUpSignal } from './grace.ts'
export { createIds } from './ids.ts'
export {
  createKeyRing,
  deriveKeys,
  formatKeys,
  type Key,
  type KeyPurpose,
  type KeyRing,
  type Keys,
  purposesOf,
  type Role,
} from './keys.ts'
export { createLog, type Logger, type LogOptions, redactUrl, silentLog } from './log.ts'
export type { LogFields } from './log-fields.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { openTraces } from './open-traces.ts'
export { createSealer, type Sealer, SealingKeyMissing } from './sealer.ts'
export { revealText, Secret } from './secret.ts'
export { type MetricsServer, serveMetrics } from './serve-metrics.ts'
export { startUnlessStopped, untilStopped } from './stop.ts'
export {
  attemptSpanId,
  formatTraceParent,
  noSpan,
  noTraces,
  parseTraceParent,
  type Span,
  type Traces,
  traced,
} from './traces.ts'
