const graceMs = 2_000

/**
 * A signal that follows another one after a moment: for a request whose effect could not be taken back if it were torn
 * off before its answer.
 */
export function afterGrace(signal: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    signal: late.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** The signal of a request that cleans up: it has a time of its own, and not a long one. */
export function cleanUpSignal(): AbortSignal {
  return AbortSignal.timeout(5 * graceMs)
}
