// @ts-check

/**
 * The first of these things, or undefined when none happened in time.
 *
 * @template T
 * @param {number} ms
 * @param {Promise<T>} thing
 * @returns {Promise<T | undefined>}
 */
export async function within(ms, thing) {
  const { promise, resolve } = Promise.withResolvers()
  const timer = setTimeout(resolve, ms)
  try {
    return await Promise.race([thing, /** @type {Promise<undefined>} */ (promise)])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Counts what a page still asks for, and tells when it has asked for nothing for a while.
 *
 * @param {{ on: (name: string, listener: (params: any) => void) => void }} page
 * @param {number} quietMs
 */
export function watchRequests({ on }, quietMs) {
  /** @type {Set<string>} */
  const open = new Set()
  let movedAt = performance.now()
  const moved = () => {
    movedAt = performance.now()
  }
  on('Network.requestWillBeSent', ({ requestId }) => {
    open.add(requestId)
    moved()
  })
  for (const name of ['Network.loadingFinished', 'Network.loadingFailed']) {
    on(name, ({ requestId }) => {
      open.delete(requestId)
      moved()
    })
  }
  return {
    /** Settles when nothing was asked for, and nothing came, for that while. */
    async quiet() {
      for (;;) {
        const left = quietMs - (performance.now() - movedAt)
        if (open.size === 0 && left <= 0) return
        await new Promise((done) => setTimeout(done, Math.max(left, 50)))
      }
    },
  }
}
