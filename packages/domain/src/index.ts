export { type AuditAction, type AuditChannel, auditActions, auditChannels } from './audit.ts'
export { type DisabledFormat, explainDisabled, findDisabled } from './disabled-formats.ts'
export { type EngineFamily, engineFamilies, isEngineFamily } from './engine-families.ts'
export {
  type EngineSlotsConfig,
  loadOf,
  mayStart,
  patienceMs,
  type TaskInHand,
  taskToYield,
} from './engine-sharing.ts'
export { cleanText, cleanWarnings, maxDetailBytes, maxWarningBytes, maxWarnings } from './engine-text.ts'
export {
  type DeliveryStatus,
  deliveryStatuses,
  type EventType,
  eventTypes,
  jobEvent,
  type StoredEventType,
  storedEventTypes,
  taskEvent,
} from './events.ts'
export type { ExportedFile } from './exported-file.ts'
export {
  type Failure,
  type FailureCode,
  failure,
  failures,
  isFailure,
  maxFailureTextBytes,
  nameFile,
  type TaskErrorCode,
} from './failures.ts'
export { findCycle, longestChain } from './job-graph.ts'
export { canMoveJob, type JobErrorCode, type JobStatus, jobErrorCodes, jobStatuses, jobStatusOf } from './job-state.ts'
export { type Lane, lanes } from './lanes.ts'
export { createdAtOf, createIdMint, firstId, firstIdAt, type IdMint, isObjectId, type ObjectId } from './object-id.ts'
export type { OperationKind } from './operation-kind.ts'
export type { PairRate } from './pair-rate.ts'
export { nextPermit, type PermitWaiter } from './permit-order.ts'
export { type FieldError, fieldErrorCodes, invalidField, Problem, type ProblemCode, problems } from './problems.ts'
export { type Pace, type Progress, paceAfter, toProgress } from './progress.ts'
export { estimateWait, type QueuePlace, type RecentRun, waitReasons } from './queue-place.ts'
export { type Allowance, allowanceOf, type MinutesLeft, minutesTaken } from './quota.ts'
export { causeOfBadInput, type InputState, type Readiness, readinessOf } from './readiness.ts'
export { filesExpireAt, oldestShownAt, oldestWithFilesAt, recordExpiresAt, retention } from './retention.ts'
export { afterFailure, afterWorkerDeath, isQuarantined, maxAttempts, mostStarts } from './retry.ts'
export { isAtLeast, mayManage, type OwnerRole, ownerRoles } from './roles.ts'
export { type Effects, settle, type TaskMove } from './settle.ts'
export { slowestTransfer } from './slowest-transfer.ts'
export { isOutOfStorage, outOfStorageText, type StorageUse } from './storage-limit.ts'
export { canMoveTask, isBadEnd, isOpen, type TaskStatus, taskStatuses } from './task-state.ts'
export type { TaskTimes } from './task-times.ts'
export { type UsageGroup, type UsagePair, usageGroups, usagePairOf } from './usage.ts'
export { heartbeatEveryMs, workerSilenceMs } from './worker-silence.ts'
