export { availableOperations, unavailableOperations } from './available-operations.ts'
export { jobBody, jobTaskBodies, taskBodies } from './bodies/bodies.ts'
export { keyBody, keyChangeBody } from './bodies/key-bodies.ts'
export { webhookBody, webhookChangeBody } from './bodies/webhook-bodies.ts'
export { type ErrorStatus, errorCodesOf, httpErrorCodes, problemStatus } from './http-errors.ts'
export { limits } from './limits.ts'
export { type Channel, type ChannelStart, parseChannel, parseChannelStart, parseMoment } from './listening/channel.ts'
export { buildOpenApi, type OpenApiFacts } from './openapi/build-openapi.ts'
export type { JsonObject } from './openapi/schema-collector.ts'
export { errorCodeList } from './openapi/shared-parts.ts'
export { checkDisabled } from './parse/check-disabled.ts'
export {
  expandJob,
  expandTask,
  type KnownPresets,
  presetsOfJob,
  presetsOfTask,
} from './parse/expand-presets.ts'
export {
  parseAccountChange,
  parseAnnouncement,
  parseDisabledFormat,
  parseNewAccount,
} from './parse/parse-admin.ts'
export {
  parseAccountDeletion,
  parseCode,
  parseDeviceApproval,
  parseOidcStart,
  parseOwnPassword,
  parsePasskey,
  parsePasskeyName,
  parsePasskeySignIn,
  parsePasswordChange,
  parseProfile,
  parseSetup,
  parseSignIn,
  parseTokenRequest,
  parseUserCode,
} from './parse/parse-auth.ts'
export { type ParsedDeviceLogin, parseDeviceLogin, parseDeviceToken } from './parse/parse-device.ts'
export { parseJob } from './parse/parse-job.ts'
export { type ParsedJobToken, parseJobToken } from './parse/parse-job-token.ts'
export { type KeyMaker, type ParsedKey, parseKey, parseKeyChange } from './parse/parse-key.ts'
export { type ParsedPreset, parsePreset, parsePresetChange } from './parse/parse-preset.ts'
export { parseTask } from './parse/parse-task.ts'
export {
  parseAcceptance,
  parseActiveOwner,
  parseInvitation,
  parseInvitationLink,
  parseMember,
  parseMemberRemoval,
  parseTeam,
} from './parse/parse-team.ts'
export { type CheckAddress, type ParsedWebhook, parseWebhook, parseWebhookChange } from './parse/parse-webhook.ts'
export type { ParsedInput, ParsedJob, ParsedTask, TaskPlace } from './parse/parsed.ts'
export { type PreviewPayload, planPreview } from './parse/plan-preview.ts'
export { type EarlierJob, type EarlierTask, toJobAgain, toTaskAgain } from './parse/run-again.ts'
export type { RawQuery } from './query/define-query.ts'
export { readPage } from './query/paging.ts'
export { indexPairRates, type PairRates } from './query/pair-rates.ts'
export { parseAfter } from './query/parse-after.ts'
export {
  type FormatsQuery,
  findNamed,
  parseFormatsQuery,
  parseOptionsQuery,
  parseRouteQuery,
  refuseDisabledPair,
  routeFields,
  toFormatList,
  toOptionSet,
} from './query/parse-format-query.ts'
export { parseUsageQuery, type UsageQuery } from './query/parse-usage-query.ts'
export {
  accountsQuery,
  auditQuery,
  deliveriesQuery,
  jobsQuery,
  listQuery,
  parseId,
  previewQuery,
  revokeKeyQuery,
  taskQuery,
  tasksQuery,
} from './query/queries.ts'
export { toRouteView } from './query/route-view.ts'
export { type OperationRouteName, operationRoutes } from './routes/operation-routes.ts'
export type { Route, RouteResponse, Scope } from './routes/route.ts'
export { type RouteName, routes } from './routes/routes.ts'
export {
  type Account,
  AccountView,
  type ApiKey,
  type ApiKeyList,
  ApiKeyListView,
  ApiKeyView,
  type ApiKeyWithText,
  ApiKeyWithTextView,
} from './schemas/account-view.ts'
export {
  type AuditEntry,
  AuditEntryView,
  type AuditName,
  AuditNameView,
  type AuditPage,
  AuditPageView,
} from './schemas/audit-view.ts'
export { type DeviceLogin, DeviceLoginView, type DeviceToken, DeviceTokenView } from './schemas/device-view.ts'
export { type ErrorBody, ErrorView } from './schemas/error-view.ts'
export { type Event, EventView } from './schemas/event-view.ts'
export { type Health, HealthView, type Readiness, ReadinessView } from './schemas/health-view.ts'
export { type JobSummary, JobSummaryView } from './schemas/job-summary-view.ts'
export type { JobToken, JobTokenList, JobTokenWithText } from './schemas/job-token-view.ts'
export { type Job, JobView } from './schemas/job-view.ts'
export { JobPageView, type Page, TaskPageView } from './schemas/page-view.ts'
export { type Preset, PresetView } from './schemas/preset-view.ts'
export {
  type ConversionRoute,
  type FormatList,
  FormatListView,
  type OptionSet,
  OptionSetView,
} from './schemas/query-views.ts'
export {
  type Task,
  type TaskFile,
  type TaskResult,
  TaskView,
  taskErrorCodes,
  type UploadForm,
} from './schemas/task-view.ts'
export { type Usage, type UsageRow, UsageView } from './schemas/usage-view.ts'
export {
  type Delivery,
  DeliveryView,
  type Webhook,
  type WebhookPage,
  WebhookView,
  type WebhookWithSecret,
} from './schemas/webhook-view.ts'
export { isScope, type KeyScope, scopes, usualScopes } from './scopes.ts'
export type { FileFacts, JobFacts, JobSummaryFacts, LinkedTask, Links, TaskFacts } from './views/records.ts'
export { type AccountFacts, type ApiKeyFacts, toAccountView, toApiKeyView } from './views/to-account-view.ts'
export { type EventAbout, type EventFacts, toEventView } from './views/to-event-view.ts'
export { toJobSummary } from './views/to-job-summary.ts'
export { type JobTokenFacts, toJobTokenView } from './views/to-job-token-view.ts'
export { toJobView } from './views/to-job-view.ts'
export { type PageFacts, toPage } from './views/to-page.ts'
export { type PresetFacts, toPresetView } from './views/to-preset-view.ts'
export { toSharedEvent, toSharedJob, toSharedTask } from './views/to-shared-view.ts'
export { archiveName } from './views/to-task-result.ts'
export { toTaskView } from './views/to-task-view.ts'
export { toUsageView, type UsageFacts, type UsageSumFacts } from './views/to-usage-view.ts'
export { type EventRef, toWebhookBody } from './views/to-webhook-body.ts'
export { type DeliveryFacts, toDeliveryView, toWebhookView, type WebhookFacts } from './views/to-webhook-view.ts'
