import { toError } from '../api/api-error.ts'
import { createLimit } from '../converter/limit.ts'
import { wait } from '../lib/wait.ts'

/** Sends a GET request, as the user or with the token of a link; throws an `ApiError` unless the answer is 2xx. */
export type Get = (path: string) => Promise<Response>

// Fewer than an account may have in the making, so that two pages can be open.
const turn = createLimit(2)
const longestMs = 60_000

/** Loads a preview; null if the file has none. */
export function loadPreview(get: Get, path: string, signal: AbortSignal): Promise<Blob | null> {
  return turn(async () => {
    // One that has begun is finished: the service makes it anyway, and it counts until then.
    signal.throwIfAborted()
    const end = performance.now() + longestMs
    while (performance.now() < end) {
      const answer = await get(path).catch(toError)
      if (answer instanceof Response && answer.status === 200) return answer.blob()
      if (!(answer instanceof Response) && !answer.mayPass) return null
      await wait(1000)
    }
    return null
  })
}
