/** Thrown when an operation exceeded its time limit. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
}

/** Returns the result of the work, or throws DeadlineExceeded after `ms`. The work itself is not stopped. */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(`not done within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // No one awaits the work anymore; its late failure must not end the process.
    work.catch(() => undefined)
  }
}
