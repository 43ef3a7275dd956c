export {
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  JobFailedError,
  LatheError,
  NotFoundError,
  OutOfStorageError,
  RateLimitError,
  RequestError,
  TaskFailedError,
  TimeoutError,
  UnauthorizedError,
} from './errors.ts'
export { Download, ResultFile, withAllFiles } from './files.ts'
export type { DoneOptions, FollowOptions } from './follow.ts'
export { operations } from './generated/options.ts'
export type * from './generated/types.ts'
export { JobHandle, Jobs, type NewJob } from './jobs.ts'
export { Lathe, type RunOptions } from './lathe.ts'
export { didYouMean, nearest } from './nearest.ts'
export type { From, Operation, OptionsOf, To } from './option-types.ts'
export { type OpenResponse, openRequest, readJson } from './request.ts'
export type { Answer } from './response.ts'
export type { Input, Source } from './source.ts'
export { readEvents, type StreamEvent } from './sse.ts'
export { TaskHandle, Tasks } from './tasks.ts'
export {
  type Call,
  type CallOptions,
  createTransport,
  type LatheOptions,
  type Transport,
} from './transport.ts'
export { mayUploadLater, sendToForm, type UploadOptions } from './upload.ts'
export type { UploadStore } from './upload-store.ts'
export { unwrap, WebhookError, webhooks } from './webhooks.ts'
