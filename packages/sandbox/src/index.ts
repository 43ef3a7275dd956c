export { type SandboxConfig, sandboxConfig, sandboxEnv } from './config.ts'
export { connectHost, type EngineHost, EngineHostLost } from './host/connect-host.ts'
export { type HostListener, listenHost } from './host/listen-host.ts'
export { type HostUsers, type StartedHost, startHost, unavailableExit } from './host/start-host.ts'
export type { CallEnd, CallOptions } from './instance.ts'
export type { JobFolder } from './job-folder.ts'
export type { Output } from './open-output.ts'
export { findOutputs } from './plan/find-outputs.ts'
export {
  openRunner,
  openRunners,
  type RunnerCalls,
  type Runners,
  RunnerUnavailable,
  type ServeReport,
} from './plan/open-runners.ts'
export { type PlanRun, runPlan, type Workshop } from './plan/run-plan.ts'
export type { InstanceState } from './pool-decision.ts'
export { type EngineProfile, profileOf } from './profiles.ts'
export { mostProgramsAhead } from './programs-ahead.ts'
export { failureOf, type Killer, type ProcessStep, type RunEnd, type RunOptions, type StepLimits } from './run.ts'
export type { JsonObject } from './runner-protocol.ts'
export { createSandbox, type Sandbox, type SandboxReport, SandboxUnavailable } from './sandbox.ts'
export { createWarmPool, type WarmPool, type WarmPoolOptions } from './warm-pool.ts'
