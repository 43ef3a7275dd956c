import { afterGrace } from '@lathe/runtime'

/**
 * Runs a request that makes an object visible. A request that is aborted halfway might still take effect, so an abort
 * lets it finish, and the caller then undoes it. Only a store that stays silent is aborted after a moment.
 */
export async function withGrace<T>(signal: AbortSignal, work: (late: AbortSignal) => Promise<T>): Promise<T> {
  using late = afterGrace(signal)
  try {
    return await work(late.signal)
  } catch (error) {
    throw late.signal.aborted ? signal.reason : error
  }
}
