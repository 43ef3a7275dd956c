/** The names of what we log, so that one thing has one name in every line. */
export interface LogFields {
  requestId?: string
  taskId?: string
  jobId?: string
  ownerId?: string
  attempt?: number
  pool?: string
  workerId?: string
  operation?: string
  /** For operators: engine output and causes. Only at `debug`, or with a failure we must explain. */
  detail?: string
  tookMs?: number
  count?: number
  err?: unknown
}
