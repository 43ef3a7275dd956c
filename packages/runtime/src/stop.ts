/** Resolves with the signal when the process is asked to stop. From this call on, signals no longer end it. */
export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}

/** Waits for a service to start. If the process is asked to stop before that, it exits: there is no work to finish. */
export async function startUnlessStopped<T>(starting: Promise<T>, stopped: Promise<unknown>): Promise<T> {
  let isStarted = false
  void stopped.then(() => isStarted || process.exit(0))
  const service = await starting
  isStarted = true
  return service
}
