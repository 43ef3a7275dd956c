const hourMs = 3_600_000

/** How long data is kept, counted from the creation of a task or job. */
export const retention = {
  fileMs: 4 * hourMs,
  recordMs: 24 * hourMs,
  /** Webhook deliveries: attempts go on for 75 hours, and their log is read after that. */
  deliveryMs: 4 * 24 * hourMs,
  /** Usage totals: two whole years, so that any month can be compared with the same month of the year before. */
  usageMs: 25 * 31 * 24 * hourMs,
  /** Files are stored under key prefixes of 5 minutes each. A prefix is deleted when its youngest file has expired. */
  prefixMs: 5 * 60_000,
} as const

/** When the files of a task created at this time expire. */
export function filesExpireAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + retention.fileMs)
}

/** When a record created at this time is no longer shown. */
export function recordExpiresAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + retention.recordMs)
}

/** Records created before this are no longer shown. */
export function oldestShownAt(now: Date): Date {
  return new Date(now.getTime() - retention.recordMs)
}

/** Tasks created before this have no files any more, and must have ended. */
export function oldestWithFilesAt(now: Date): Date {
  return new Date(now.getTime() - retention.fileMs)
}
