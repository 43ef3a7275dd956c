export interface SilenceWatch {
  /** Aborted after too long a silence, or with the given signal. */
  readonly signal: AbortSignal
  /** Something arrived; the next data must arrive within `limitMs`. */
  heard(limitMs: number): void
  stop(): void
}

const checkEveryMs = 5000

/** Detects a connection that is silent for too long: one that a proxy or a sleeping computer has cut reports no end. */
export function watchSilence(limitMs: number, outer: AbortSignal): SilenceWatch {
  const silent = new AbortController()
  let deadline = Date.now() + limitMs
  // Compares wall-clock time: a single long timer would pause while the computer sleeps.
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
