/**
 * Where a task of an engine waits. `quick` and `long` depend on its expected cost. `alone` is for a task that may have
 * killed a worker: no other engine runs next to it, so a second death has only one possible cause.
 */
export const lanes = ['quick', 'long', 'alone'] as const

export type Lane = (typeof lanes)[number]
