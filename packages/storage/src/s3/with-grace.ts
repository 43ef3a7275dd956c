import { afterGrace } from '@lathe/runtime'

/**
 * Runs a request that makes something visible. Torn off half-way it might count all the same, so an abort
 * lets it finish; the caller then undoes it. Only a store that stays silent is left after a moment.
 */
export async function withGrace<T>(signal: AbortSignal, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  using late = afterGrace(signal)
  try {
    return await work(late.signal)
  } catch (error) {
    throw late.signal.aborted ? signal.reason : error
  }
}
