/**
 * Where a task of an engine waits: `quick` and `long` by what it is expected to cost; `alone` for one that a worker may
 * have died of, which runs with no other engine beside it, so that a second death has one possible cause.
 */
export const lanes = ['quick', 'long', 'alone'] as const

export type Lane = (typeof lanes)[number]
