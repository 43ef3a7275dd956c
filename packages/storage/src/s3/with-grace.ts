const graceMs = 2_000

/**
 * Runs a request that makes something visible. Torn off half-way it might count all the same, so an abort
 * lets it finish; the caller then undoes it. Only a store that stays silent is left after a moment.
 */
export async function withGrace<T>(signal: AbortSignal, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => late.abort(signal.reason), graceMs)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await work(late.signal)
  } catch (error) {
    throw late.signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** The signal of a request that cleans up after an abort: it has a time of its own, and not a long one. */
export function cleanUpSignal(): AbortSignal {
  return AbortSignal.timeout(5 * graceMs)
}
