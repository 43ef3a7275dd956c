/**
 * How slow the other side of an import or export may be. A transfer is ended when it is this long behind the rate: one
 * of a known size takes no longer than its bytes at the rate, and the time.
 */
export const slowestTransfer = { bytesPerSecond: 64 * 1024, behindMs: 10 * 60_000 } as const
