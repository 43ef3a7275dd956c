/** Waits; rejects with the signal's reason. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Waits until the browser reports to be online, at most `mostMs`. */
export async function waitForNetwork(mostMs: number, signal?: AbortSignal): Promise<void> {
  if (!navigator.onLine) {
    const back = new AbortController()
    const come = () => back.abort()
    window.addEventListener('online', come, { once: true })
    await wait(mostMs, signal ? AbortSignal.any([signal, back.signal]) : back.signal).catch(() => undefined)
    window.removeEventListener('online', come)
    signal?.throwIfAborted()
  }
}
