export interface SilenceWatch {
  /** Aborted when nothing was heard for too long, or with the signal that was given. */
  readonly signal: AbortSignal
  /** Something arrived; the next thing has to within so long. */
  heard(limitMs: number): void
  stop(): void
}

const checkEveryMs = 5000

/** Notices that a connection is silent for too long: one that a proxy or a sleeping computer has cut reports no end. */
export function watchSilence(limitMs: number, outer: AbortSignal): SilenceWatch {
  const silent = new AbortController()
  let deadline = Date.now() + limitMs
  // By the clock on the wall: one timer for the whole time would stand still while the computer sleeps.
  const timer = setInterval(
    () => Date.now() > deadline && silent.abort(new Error('the stream fell silent')),
    checkEveryMs,
  )
  return {
    signal: AbortSignal.any([outer, silent.signal]),
    heard(nextLimitMs) {
      deadline = Date.now() + nextLimitMs
    },
    stop() {
      clearInterval(timer)
      silent.abort()
    },
  }
}
