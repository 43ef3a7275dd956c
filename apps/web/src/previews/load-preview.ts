import { statusOf } from '../api/errors.ts'
import { createLimit } from '../converter/limit.ts'
import { wait } from '../lib/wait.ts'

/** Sends a GET request, as the user or with the token of a link; throws unless the answer is 2xx. */
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
      const answer = await get(path).catch((cause: unknown) => {
        if (!mayPass(cause)) return null
      })
      if (answer === null) return null
      if (answer?.status === 200) return answer.blob()
      await wait(1000)
    }
    return null
  })
}

/** Whether the same request may succeed later: the service is away, or makes too many previews. */
function mayPass(cause: unknown): boolean {
  const status = statusOf(cause)
  return status === undefined || status === 429 || status >= 502
}
