const hourMs = 3_600_000

/** How long things are kept, counted from a task's or job's creation. */
export const retention = {
  fileMs: 4 * hourMs,
  recordMs: 24 * hourMs,
  /** Deliveries to webhooks: their tries go on for 75 hours, and their log is read after that. */
  deliveryMs: 4 * 24 * hourMs,
  /** Sums of usage: two whole years, so that any month can be held against that of the year before. */
  usageMs: 25 * 31 * 24 * hourMs,
  /** Two 5-minute key prefixes may share a file's last minutes; a prefix goes when its youngest file has expired. */
  prefixMs: 5 * 60_000,
} as const

/** When the files of a task made at this time are gone. */
export function filesExpireAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + retention.fileMs)
}

/** When a record made at this time is no longer shown. */
export function recordExpiresAt(createdAt: Date): Date {
  return new Date(createdAt.getTime() + retention.recordMs)
}

/** Records made before this are no longer shown. */
export function oldestShownAt(now: Date): Date {
  return new Date(now.getTime() - retention.recordMs)
}

/** Tasks made before this have no files any more, and must have ended. */
export function oldestWithFilesAt(now: Date): Date {
  return new Date(now.getTime() - retention.fileMs)
}
