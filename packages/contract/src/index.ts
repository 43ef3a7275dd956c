export { taskBodies } from './bodies/bodies.ts'
export { httpErrorCodes, problemStatus } from './http-errors.ts'
export { limits } from './limits.ts'
export { type Channel, type ChannelStart, parseChannel, parseChannelStart, parseMoment } from './listening/channel.ts'
export { buildAuthOpenApi } from './openapi/build-auth-openapi.ts'
export { buildOpenApi } from './openapi/build-openapi.ts'
export { checkDisabled } from './parse/check-disabled.ts'
export { expandJob, expandTask, type KnownPresets, presetsOfJob, presetsOfTask } from './parse/expand-presets.ts'
export { parseAccountChange, parseAnnouncement, parseDisabledFormat, parseNewAccount } from './parse/parse-admin.ts'
export {
  parseAccountDeletion,
  parseCode,
  parseConfirmation,
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
export { parseDeviceLogin, parseDeviceToken } from './parse/parse-device.ts'
export { parseJob } from './parse/parse-job.ts'
export { type ParsedJobToken, parseJobToken } from './parse/parse-job-token.ts'
export { parseKey, parseKeyChange } from './parse/parse-key.ts'
export { parsePreset, parsePresetChange } from './parse/parse-preset.ts'
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
export type { ParsedInput, ParsedJob, ParsedTask } from './parse/parsed.ts'
export { planPreview } from './parse/plan-preview.ts'
export { toJobAgain, toTaskAgain } from './parse/run-again.ts'
export type { RawQuery } from './query/define-query.ts'
export { readPage } from './query/paging.ts'
export { indexPairRates, type PairRates } from './query/pair-rates.ts'
export { parseAfter } from './query/parse-after.ts'
export {
  findNamed,
  parseFormatsQuery,
  parseOptionsQuery,
  parseRouteQuery,
  refuseDisabledPair,
  routeFields,
  toFormatList,
  toOptionSet,
} from './query/parse-format-query.ts'
export { parseUsageQuery } from './query/parse-usage-query.ts'
export {
  accountsQuery,
  auditQuery,
  deliveriesQuery,
  jobsQuery,
  listQuery,
  parseId,
  previewQuery,
  revokeKeyQuery,
  taskFilesQuery,
  taskQuery,
  tasksQuery,
} from './query/queries.ts'
export { toRouteView } from './query/route-view.ts'
export type { AuthRoute } from './routes/auth/auth-route.ts'
export { authRoutes } from './routes/auth/auth-routes.ts'
export { type OperationRouteName, operationRoutes } from './routes/operation-routes.ts'
export type { Route, Scope } from './routes/route.ts'
export { type RouteName, routes } from './routes/routes.ts'
export type { Account, ApiKey, ApiKeyList, ApiKeyWithText } from './schemas/account-view.ts'
export type { AuditEntry, AuditName, AuditPage } from './schemas/audit-view.ts'
export type { DeviceLogin, DeviceToken } from './schemas/device-view.ts'
export { type ErrorBody, ErrorView } from './schemas/error-view.ts'
export { type Event, EventView } from './schemas/event-view.ts'
export type { Readiness } from './schemas/health-view.ts'
export type { JobSummary } from './schemas/job-summary-view.ts'
export type { JobTokenList, JobTokenWithText } from './schemas/job-token-view.ts'
export type { Job } from './schemas/job-view.ts'
export type { Page, TaskFilePage } from './schemas/page-view.ts'
export type { Preset } from './schemas/preset-view.ts'
export type { ConversionRoute, FormatList, OptionSet } from './schemas/query-views.ts'
export type { Task, TaskFile, UploadForm } from './schemas/task-view.ts'
export type { Usage, UsageRow } from './schemas/usage-view.ts'
export type { Delivery, Webhook, WebhookPage, WebhookWithSecret } from './schemas/webhook-view.ts'
export { isScope, type KeyScope, scopes, usualScopes } from './scopes.ts'
export type { JobFacts, LinkedTask, Links, TaskFacts } from './views/records.ts'
export { toAccountView, toApiKeyView } from './views/to-account-view.ts'
export { toEventView } from './views/to-event-view.ts'
export { toJobSummary } from './views/to-job-summary.ts'
export { toJobTokenView } from './views/to-job-token-view.ts'
export { toJobView } from './views/to-job-view.ts'
export { type PageFacts, toPage } from './views/to-page.ts'
export { toPresetView } from './views/to-preset-view.ts'
export { toSharedEvent, toSharedJob, toSharedTask } from './views/to-shared-view.ts'
export { archiveName, toTaskFiles } from './views/to-task-result.ts'
export { toTaskView } from './views/to-task-view.ts'
export { toUsageView } from './views/to-usage-view.ts'
export { type EventRef, toWebhookBody } from './views/to-webhook-body.ts'
export { toDeliveryView, toWebhookView, type WebhookFacts } from './views/to-webhook-view.ts'
