export { bytes, manyBytes } from './bytes.ts'
export { type DatabaseConfig, databaseConfig, databaseEnv } from './config.ts'
export { createDatabase, type Database, type Executor, isUnwritable, sqlState } from './database.ts'
export { createDatabaseClock } from './database-clock.ts'
export { createDisabledFormats, type DisabledFormats } from './disabled-formats.ts'
export { isAway } from './is-away.ts'
export { createLastKnown } from './last-known.ts'
export { libpqEnv } from './libpq-env.ts'
export { migrate } from './migrate.ts'
export { dropExpiredPartitions, ensurePartitions, hourOf, isPartitionGone, partitionsAheadMs } from './partitions.ts'
export {
  type ApiKeyChange,
  type ApiKeyRecord,
  countKeys,
  type FoundApiKey,
  findAccount,
  findApiKey,
  findKeyOfOwner,
  findUser,
  insertApiKey,
  insertUser,
  listApiKeys,
  listKeysOfUser,
  revokeApiKey,
  touchApiKeys,
  type UserRecord,
  updateApiKey,
  updateApiKeyHash,
} from './queries/accounts.ts'
export { deleteIdleAnonymous, insertAnonymousOwner } from './queries/anonymous-owners.ts'
export { type AuditRecord, forgetAudit, insertAudit, listAudit } from './queries/audit.ts'
export { findAuditNames } from './queries/audit-names.ts'
export {
  type ClaimedDelivery,
  findDue,
  findOwnersDue,
  leaseDeliveries,
  lockClaims,
  recordTry,
  releaseDeliveries,
  type TryEnd,
} from './queries/claim-deliveries.ts'
export {
  type ClosedWork,
  closeAccount,
  closeOwner,
  deleteClosedAccounts,
  findTasksOfClosed,
  listTeamsOwnedAlone,
  lockUser,
} from './queries/closed-accounts.ts'
export { addCrash, countCrashes } from './queries/crashed-inputs.ts'
export {
  countDependants,
  findFormats,
  findParents,
  insertJob,
  insertTasks,
  type ParentTask,
  type TaskInsert,
} from './queries/create-tasks.ts'
export { countToday, forgetDailyCounts } from './queries/daily-counts.ts'
export {
  type DeliveryAttempt,
  type DeliveryRecord,
  failPending,
  findDelivery,
  insertDelivery,
  insertReplay,
  listDeliveries,
} from './queries/deliveries.ts'
export {
  type DeviceCodeRecord,
  type DeviceDecider,
  decideDeviceCode,
  findPendingDeviceCode,
  findRoleOfPerson,
  forgetDeviceCodes,
  insertDeviceCode,
  pollDeviceCode,
  useDeviceCode,
  withdrawDeviceCodes,
} from './queries/device-codes.ts'
export { deleteDisabledFormat, insertDisabledFormat, listDisabledFormats } from './queries/disabled-formats.ts'
export { eraseDeliveriesBefore, eraseDeliveriesOf } from './queries/erase-deliveries.ts'
export {
  type EventMark,
  type EventPlace,
  type EventRecord,
  findChangedSubjects,
  findEventHeads,
  findJobPlace,
  findNewestSubjects,
  findTaskPlace,
  readEvents,
} from './queries/events.ts'
export { findFilesToErase, insertFiles, markErased, markFilesDeleted } from './queries/files.ts'
export { type HostKeySeen, rememberHostKey, replaceHostKey } from './queries/host-keys.ts'
export { findRequest, forgetRequests, keepRequest, lockRequest } from './queries/idempotency.ts'
export {
  forgetOidcAttempts,
  insertIdentity,
  insertOidcAttempt,
  type OidcAttempt,
  takeOidcAttempt,
  useIdentity,
} from './queries/identities.ts'
export {
  type AccountFilter,
  countAdmins,
  countRunning,
  findAnnouncement,
  findInstanceAccount,
  type InstanceAccount,
  type LivingWorker,
  listAccounts,
  listWorkers,
  putAnnouncement,
  type RunningState,
  setSuspended,
} from './queries/instance.ts'
export {
  deleteInvitation,
  deleteInvitationsBy,
  type FoundInvitation,
  findInvitation,
  forgetInvitations,
  type InvitationRecord,
  insertInvitation,
  listInvitations,
  takeInvitation,
} from './queries/invitations.ts'
export {
  findJobToken,
  findJobTokenById,
  forgetJobTokens,
  insertJobToken,
  type JobTokenRecord,
  listJobTokens,
  revokeJobToken,
} from './queries/job-tokens.ts'
export {
  deleteJobWebhook,
  findJobWebhook,
  findSealedJobWebhooks,
  insertJobWebhook,
  replaceJobWebhookSeal,
} from './queries/job-webhooks.ts'
export {
  endLead,
  fenceOf,
  findLeader,
  type LeaderSeen,
  renewLead,
  type Term,
  takeLead,
  termEnded,
} from './queries/leadership.ts'
export {
  type EngineNote,
  type Fence,
  findForgotten,
  findJobOfTask,
  findRevoked,
  findTraceParent,
  findUnclaimed,
  type LeasedTask,
  noteEngines,
  type QueuePlace,
  returnLease,
  revokeLease,
  takeJobLease,
  takeLease,
  takeLoneLease,
} from './queries/leases.ts'
export {
  type Edge,
  edgesFrom,
  type LockedJob,
  type LockedOwner,
  type LockedTask,
  lockJobs,
  lockOwner,
  lockOwnerOfTask,
  lockTasks,
} from './queries/locks.ts'
export {
  type EmailProof,
  findLogin,
  findLoginOf,
  hasLogins,
  insertLogin,
  type LoginRecord,
  lockLogins,
  renameUser,
  updateEmail,
  updateLogin,
} from './queries/logins.ts'
export { completeLoneTasks, insertLoneTask, type LoneEnd } from './queries/lone-tasks.ts'
export {
  type EventInsert,
  insertEvents,
  markJobDeleted,
  type TaskUse,
  updateJobs,
  updateTasks,
  updateWaiting,
} from './queries/move-tasks.ts'
export {
  countWorkers,
  oldestTransactionMs,
  type QueueState,
  readBacklog,
  readDueDeliveries,
  readQueues,
} from './queries/observe.ts'
export { findOpenBefore, findUploadsBefore, type Overdue } from './queries/overdue.ts'
export { type OwnerPlan, type PlanInUse, updatePlan } from './queries/owner-plans.ts'
export type { CountCache } from './queries/page.ts'
export { listPairRates, measurePairRates } from './queries/pair-rates.ts'
export {
  deletePasskey,
  findPasskey,
  forgetPasskeyChallenges,
  insertPasskey,
  insertPasskeyChallenge,
  listPasskeys,
  type PasskeyRecord,
  renamePasskey,
  takePasskeyChallenge,
  usePasskey,
} from './queries/passkeys.ts'
export {
  countPresets,
  deletePreset,
  findPresets,
  insertPreset,
  listPresets,
  type PresetReader,
  type PresetRecord,
  updatePreset,
} from './queries/presets.ts'
export {
  countPreviews,
  findFile,
  findPreview,
  forgetPreviews,
  insertPreview,
  type PageOfFile,
} from './queries/previews.ts'
export { filesOf, findLinkedFiles, type LinkedFiles } from './queries/read-files.ts'
export { findJob, findJobsById, findTasksOfJob, type JobRow, listJobs, loadTasksOfJobs } from './queries/read-jobs.ts'
export {
  findOwnTask,
  findShownTasks,
  findTask,
  findTaskById,
  findTasksById,
  findTaskWithFiles,
  listTasks,
} from './queries/read-tasks.ts'
export { findSealed, replaceSeal } from './queries/reseal.ts'
export {
  addUploadParts,
  deleteResumables,
  endResumable,
  findEndedUploads,
  findResumable,
  findUploadParts,
  forgetResumables,
  insertResumable,
  type NewResumableUpload,
  type ResumableUpload,
  sumOpenUploads,
  type UploadPart,
} from './queries/resumable-uploads.ts'
export type { FileRecord, JobRecord, NewFile, TaskRecord } from './queries/rows.ts'
export { serverUptimeMs } from './queries/session.ts'
export {
  type ActableOwner,
  confirmSession,
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  findActor,
  findSession,
  forgetSessions,
  insertSession,
  isSessionConfirmed,
  listActableOwners,
  listSessions,
  renewSession,
  type SessionActor,
  type SessionRecord,
  touchSession,
  updateSessionOwner,
} from './queries/sessions.ts'
export { deleteSetupLinks, insertSetupLink, takeSetupLink } from './queries/setup-links.ts'
export {
  admitOldest,
  countSlots,
  type Dispatchable,
  findMiscounted,
  findOwnersToAdmit,
  updateOwner,
} from './queries/slots.ts'
export { findStorage, forgetStoredBytes } from './queries/stored-bytes.ts'
export {
  closeTeam,
  countMembers,
  countOwnedTeams,
  deleteClosedTeams,
  deleteMembership,
  findManaged,
  findMembership,
  insertMembership,
  insertTeam,
  isOpenTeam,
  listMembers,
  listTeams,
  type MemberRecord,
  putManaged,
  renameTeam,
  revokeKeysOfMember,
  type TeamRecord,
  updateMembership,
} from './queries/teams.ts'
export {
  deleteTotp,
  findSealedTotp,
  findTotp,
  insertTotp,
  replaceRecoveryCodes,
  replaceTotpSeal,
  takeRecoveryCode,
  takeTotpStep,
} from './queries/totp.ts'
export { findUnreferenced, type ObjectOfTask } from './queries/unreferenced.ts'
export { countFailedAtOnce, type FailedAtOnce, forgetUsage, listUsage, sumUsage } from './queries/usage.ts'
export {
  findBacklog,
  findQueued,
  findRuns,
  findWaiting,
  type PoolRun,
  type QueuedTask,
  type WaitingTask,
} from './queries/waiting.ts'
export {
  countExhausted,
  countWebhooks,
  type DisabledReason,
  deleteWebhook,
  disableWebhook,
  findJobsWebhook,
  findSealedWebhooks,
  findWebhook,
  forgetExhausted,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  noteWebhooks,
  type OwnedWebhook,
  replaceWebhookSeal,
  updateWebhook,
  type WebhookRecord,
} from './queries/webhooks.ts'
export {
  beat,
  endSilentWorkers,
  endWorker,
  findLeasesOfTheDead,
  findLowestSandboxLevel,
  forgetWorkers,
  insertWorker,
  type OrphanedLease,
  type WorkerInsert,
} from './queries/workers.ts'
export { sqlAfterRestore, sqlBeforeRestore } from './restore-script.ts'
export { type Contents, findContents, withSnapshot } from './snapshot.ts'
