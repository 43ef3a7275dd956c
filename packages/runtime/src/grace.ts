const graceMs = 2_000

/**
 * A signal that aborts a moment after another one: for a request whose effect could not be undone if it were aborted
 * before its response.
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

/** The signal for cleanup requests: they have their own, short time limit. */
export function cleanUpSignal(): AbortSignal {
  return AbortSignal.timeout(5 * graceMs)
}
