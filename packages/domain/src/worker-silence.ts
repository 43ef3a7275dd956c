/** How often a worker reports that it is alive. */
export const heartbeatEveryMs = 3_000

/** A worker that has been silent for this long is dead: it missed three heartbeats. */
export const workerSilenceMs = 3 * heartbeatEveryMs
