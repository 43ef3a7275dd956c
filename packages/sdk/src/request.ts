import { ConnectionError, TimeoutError, toRequestError } from './errors.ts'

/** A response whose body has not been read. Until it is released, it keeps its request and the caller's signal. */
export interface OpenResponse {
  readonly response: Response
  release(): void
}

/** A signal that aborts a request after a timeout or when the caller aborts. */
interface Limit {
  readonly signal: AbortSignal
  readonly isOver: () => boolean
  /** From now on, only the caller aborts. */
  removeTime(): void
  release(): void
}

/**
 * Runtimes keep signals of `AbortSignal.timeout` and `AbortSignal.any`, with all their listeners, until the time is
 * over: a download that took a second would stay in memory for hours.
 */
function limitTime(ms: number, outer: AbortSignal | undefined): Limit {
  const controller = new AbortController()
  let isOver = false
  const stop = () => controller.abort(outer?.reason)
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new TimeoutError(`No answer within ${ms} ms.`))
  }, ms)
  // The timer must not keep the process running.
  ;(timer as { unref?(): void }).unref?.()
  if (outer?.aborted) stop()
  outer?.addEventListener('abort', stop, { once: true })
  return {
    signal: controller.signal,
    isOver: () => isOver,
    removeTime: () => clearTimeout(timer),
    release() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', stop)
    },
  }
}

/** Sends one request and returns a 2xx response whose body has not been read. Throws an error for any other. */
export async function openRequest(
  url: string,
  init: RequestInit = {},
  {
    fetch = globalThis.fetch,
    timeoutMs = 60_000,
    isStream = false,
  }: {
    readonly fetch?: typeof globalThis.fetch
    readonly timeoutMs?: number
    /** The timeout ends when the response begins. Its body may take any time: `readWithin` detects silence. */
    readonly isStream?: boolean
  } = {},
): Promise<OpenResponse> {
  const { signal, isOver, removeTime, release } = limitTime(timeoutMs, init.signal ?? undefined)
  let response: Response
  try {
    response = await fetch(url, { ...init, signal })
  } catch (cause) {
    release()
    init.signal?.throwIfAborted()
    if (isOver()) throw new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause })
    throw new ConnectionError(`${new URL(url).origin} cannot be reached.`, { cause })
  }
  if (response.ok) {
    if (isStream) removeTime()
    return { response, release }
  }
  throw await toRequestError(response).finally(release)
}

/** The next bytes of a body. Fails if none arrive in time: a connection can be lost without either side seeing its end. */
export async function readWithin<T>(reader: ReadableStreamDefaultReader<T>, ms: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`The connection was silent for ${ms} ms.`)), ms)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** The body of a response; undefined if there is none. */
export async function readJson<T>({ response, release }: OpenResponse): Promise<T> {
  try {
    return (response.status === 204 ? undefined : await response.json()) as T
  } finally {
    release()
  }
}
