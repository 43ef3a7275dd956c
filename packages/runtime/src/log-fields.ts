/** The field names of log lines, so that one thing has one name everywhere. */
export interface LogFields {
  requestId?: string
  taskId?: string
  jobId?: string
  ownerId?: string
  attempt?: number
  pool?: string
  workerId?: string
  operation?: string
  /** For operators: engine output and causes. Only at `debug`, or with a failure that needs an explanation. */
  detail?: string
  tookMs?: number
  count?: number
  err?: unknown
}
