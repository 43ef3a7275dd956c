export { ranked } from './admit.ts'
export type { Claim } from './claim-task.ts'
export { ownerEnv, ownerLimits, uploadEnv, uploadTimeoutMs } from './config.ts'
export type { Caller, OwnerLimits } from './context.ts'
export type { WriteEnd } from './finish-task.ts'
export { type Answer, type Idempotency, oncePerKey } from './idempotent.ts'
export {
  type Caretaker,
  createCaretaker,
  createOrchestrator,
  createWorkerDesk,
  type Orchestrator,
  type WorkerDesk,
} from './orchestrator.ts'
export type { InputRef, NewTask } from './plan-creation.ts'
export { grant } from './plan-slots.ts'
export { poolOf } from './pools.ts'
