export { availableOperations, unavailableOperations } from './available-operations.ts'
export { jobBody, jobTaskBodies, taskBodies } from './bodies/bodies.ts'
export { webhookBody, webhookChangeBody } from './bodies/webhook-bodies.ts'
export { type ErrorStatus, errorCodesOf, httpErrorCodes, problemStatus } from './http-errors.ts'
export { limits } from './limits.ts'
export { type Channel, type ChannelStart, parseChannel, parseChannelStart } from './listening/channel.ts'
export { buildOpenApi, type OpenApiFacts } from './openapi/build-openapi.ts'
export type { JsonObject } from './openapi/schema-collector.ts'
export { errorCodeList } from './openapi/shared-parts.ts'
export { parseJob } from './parse/parse-job.ts'
export { parseTask } from './parse/parse-task.ts'
export { type CheckAddress, type ParsedWebhook, parseWebhook, parseWebhookChange } from './parse/parse-webhook.ts'
export type { ParsedInput, ParsedJob, ParsedTask, TaskPlace } from './parse/parsed.ts'
export { parseAfter } from './query/parse-after.ts'
export {
  type FormatsQuery,
  parseFormatsQuery,
  parseOptionsQuery,
  toFormatList,
  toOptionSet,
} from './query/parse-format-query.ts'
export {
  type ListJobsQuery,
  type ListTasksQuery,
  parseId,
  parseListDeliveriesQuery,
  parseListJobsQuery,
  parseListTasksQuery,
  parseListWebhooksQuery,
  parseShowTaskQuery,
  type ShowTaskQuery,
} from './query/parse-list-query.ts'
export type { RawQuery } from './query/raw-query.ts'
export { type OperationRouteName, operationRoutes } from './routes/operation-routes.ts'
export type { Route, RouteResponse, Scope } from './routes/route.ts'
export { type RouteName, routes } from './routes/routes.ts'
export { type ErrorBody, ErrorView } from './schemas/error-view.ts'
export { type Event, EventView } from './schemas/event-view.ts'
export { type Health, HealthView, type Readiness, ReadinessView } from './schemas/health-view.ts'
export { type JobSummary, JobSummaryView } from './schemas/job-summary-view.ts'
export { type Job, JobView } from './schemas/job-view.ts'
export { JobPageView, type Page, TaskPageView } from './schemas/page-view.ts'
export { type FormatList, FormatListView, type OptionSet, OptionSetView } from './schemas/query-views.ts'
export {
  type Task,
  type TaskFile,
  type TaskResult,
  TaskView,
  taskErrorCodes,
  type UploadForm,
} from './schemas/task-view.ts'
export {
  type Delivery,
  DeliveryView,
  type Webhook,
  type WebhookPage,
  WebhookView,
  type WebhookWithSecret,
} from './schemas/webhook-view.ts'
export type { FileFacts, JobFacts, JobSummaryFacts, Links, TaskFacts } from './views/records.ts'
export { type EventAbout, type EventFacts, toEventView } from './views/to-event-view.ts'
export { toJobSummary } from './views/to-job-summary.ts'
export { toJobView } from './views/to-job-view.ts'
export { type PageFacts, toPage } from './views/to-page.ts'
export { archiveName } from './views/to-task-result.ts'
export { toTaskView } from './views/to-task-view.ts'
export { type EventRef, toWebhookBody } from './views/to-webhook-body.ts'
export { type DeliveryFacts, toDeliveryView, toWebhookView, type WebhookFacts } from './views/to-webhook-view.ts'
