import { ConnectionError, isOutage, LatheError, RequestError } from './errors.ts'
import { version } from './generated/version.ts'
import { createKeySource, type Key } from './key.ts'
import { type OpenResponse, openRequest, readJson } from './request.ts'
import { createMemoryStore, type UploadStore } from './upload-store.ts'

export interface LatheOptions {
  /** The URL of the service; `LATHE_URL` by default. */
  readonly baseUrl?: string
  /**
   * An API key, or a token of a session or job; `LATHE_KEY` by default. A function is called before each request: for
   * tokens that expire.
   */
  readonly key?: Key
  /** Called when a key is refused (401). If it returns true, `key` now returns another one, and the request is repeated once. */
  readonly onUnauthorized?: () => boolean | Promise<boolean>
  /**
   * How often a request is retried that may succeed the next time; 2 by default. Waits as long as `Retry-After` says.
   * If these waits would exceed `timeoutMs` or 2 minutes together, the call fails with the error at once.
   */
  readonly retries?: number
  /**
   * How long an outage of the service may last while a job is created, uploaded to, followed or downloaded from, in
   * milliseconds; 10 minutes by default. A service that has never answered is not waited for: its URL may be wrong.
   */
  readonly outageMs?: number
  /** How long a single request may take, in milliseconds; 60,000 by default. Files may take longer. */
  readonly timeoutMs?: number
  /** Allows an API key in a web page, where every visitor can read it. Use a job token instead if you can. */
  readonly dangerouslyAllowBrowser?: boolean
  readonly fetch?: typeof globalThis.fetch
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Generated for every POST by default, so that a retried request takes effect once. */
  readonly idempotencyKey?: string
  /** Waits for the end of an outage, as long as `outageMs`, or until the signal is aborted. */
  readonly patient?: boolean
}

export interface Call extends CallOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly json?: unknown
  readonly body?: Blob | FormData
  readonly headers?: Readonly<Record<string, string>>
  /** Forms and links contain their own secret. */
  readonly withoutKey?: boolean
  /** Its body takes any time. The caller reads it with `readWithin`. */
  readonly isStream?: boolean
  /** For a body that cannot be read twice, or a call that its caller retries. */
  readonly once?: boolean
  readonly onResponse?: (response: Response) => void
}

/** Sends HTTP requests: retries those that may succeed, and turns refusals into errors. */
export interface Transport {
  readonly baseUrl: string
  /** Unfinished uploads of this client. */
  readonly uploads: UploadStore
  readonly outageMs: number
  /** Returns a 2xx response whose body has not been read. */
  open(path: string, call?: Call): Promise<OpenResponse>
  /** Returns a 2xx response whose body has been read and dropped. */
  send(path: string, call?: Call): Promise<Response>
  /** Returns the body; undefined if there is none. */
  json<T>(path: string, call?: Call): Promise<T>
}

type Attempt = OpenResponse | RequestError | ConnectionError

const passing = new Set([408, 423, 429, 500, 502, 503, 504])
const longestPauseMs = 10_000
// A pause that a server asks for is never cut short: a request that it refuses for longer is not retried.
export const longestWaitMs = 120_000

export function createTransport(options: LatheOptions): Transport {
  const env = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env ?? {}
  const baseUrl = withoutSlash(options.baseUrl ?? env.LATHE_URL ?? '')
  if (!baseUrl) throw new LatheError('Give `baseUrl`, or set LATHE_URL: the address of your Lathe.')
  const isPage = 'document' in globalThis
  const isProgram = !isPage && 'process' in globalThis
  const { retries = 2, timeoutMs = 60_000, outageMs = 600_000, fetch = globalThis.fetch, onUnauthorized } = options
  const askKey = createKeySource(options.key ?? env.LATHE_KEY, !isPage || options.dangerouslyAllowBrowser === true)
  let hasAnswered = false

  /** Returns a 2xx response or the error. */
  async function attemptOnce(url: string, call: Call, headers: Headers): Promise<Attempt> {
    try {
      const key = call.withoutKey ? undefined : await askKey()
      const { method = 'GET', signal } = call
      const body = call.json === undefined ? call.body : JSON.stringify(call.json)
      const init = {
        method,
        headers: key === undefined ? headers : withKey(headers, key),
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      }
      const { isStream = false, timeoutMs: ownMs = timeoutMs } = call
      return await openRequest(url, init, { fetch, timeoutMs: ownMs, isStream })
    } catch (error) {
      // Including those of `key`, which may request a token from the service.
      if (error instanceof ConnectionError || error instanceof RequestError) return error
      throw error
    }
  }

  /** The same, again with another key if the first is refused. */
  async function attempt(url: string, call: Call, headers: Headers): Promise<Attempt> {
    const answer = await attemptOnce(url, call, headers)
    const isRefused = !call.withoutKey && answer instanceof RequestError && answer.status === 401
    return isRefused && (await onUnauthorized?.()) ? attemptOnce(url, call, headers) : answer
  }

  async function open(path: string, call: Call = {}): Promise<OpenResponse> {
    const url = toUrl(baseUrl, path, call.query)
    const headers = toHeaders(call)
    // Browsers have their own, and ask the server first whether another one is allowed.
    if (isProgram) headers.set('user-agent', `lathe-sdk/${version}`)
    const pauseFor = createRetries({
      times: call.once ? 0 : retries,
      waitMs: Math.min(call.timeoutMs ?? timeoutMs, longestWaitMs),
      outageMs: call.patient && hasAnswered ? outageMs : 0,
    })
    for (;;) {
      const answer = await attempt(url, call, headers)
      hasAnswered ||= !isOutage(answer)
      if (!(answer instanceof LatheError)) return answer
      await pause(pauseFor(answer), call.signal)
    }
  }

  return {
    baseUrl,
    uploads: createMemoryStore(),
    outageMs,
    open,
    async send(path, call) {
      const { response, release } = await open(path, call)
      // An unread body would block its connection for the next request. Its content is not needed.
      await response
        .arrayBuffer()
        .catch(() => undefined)
        .finally(release)
      return response
    },
    async json<T>(path: string, call: Call = {}) {
      const { response, release } = await open(path, call)
      call.onResponse?.(response)
      return readJson<T>({ response, release })
    },
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** Whether a request may succeed when it is repeated. */
export function mayPass(failure: unknown): boolean {
  return isOutage(failure) || (failure instanceof RequestError && passing.has(failure.status))
}

function toUrl(baseUrl: string, path: string, query: Call['query'] = {}): string {
  // Links are absolute URLs; paths are relative to the service, which may have a prefix.
  const url = new URL(path.startsWith('/') ? `${baseUrl}${path}` : path)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}

/** A new idempotency key. Pages that are loaded over plain HTTP have no `crypto.randomUUID`. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function toHeaders(call: Call): Headers {
  const headers = new Headers({ accept: 'application/json', ...call.headers })
  if (call.json !== undefined) headers.set('content-type', 'application/json')
  if (call.method === 'POST' && !call.withoutKey) {
    headers.set('idempotency-key', call.idempotencyKey ?? randomKey())
  }
  return headers
}

function withKey(headers: Headers, key: string): Headers {
  const all = new Headers(headers)
  all.set('authorization', `Bearer ${key}`)
  return all
}

interface RetryLimits {
  /** How often a failure is followed by another attempt. An outage does not count while it is waited for. */
  readonly times: number
  /** How long all pauses that the service asks for may be together. */
  readonly waitMs: number
  /** How long an outage may last. */
  readonly outageMs: number
  readonly isTemporary?: (failure: unknown) => boolean
}

/** Returns how long to wait after a failure. Throws the failure if there must be no other attempt. */
export function createRetries({ times, waitMs, outageMs, isTemporary = mayPass }: RetryLimits) {
  let [pauses, tried, leftMs] = [0, 0, waitMs]
  let awaySince: number | undefined
  return (failure: unknown): number => {
    const askedMs = failure instanceof RequestError ? failure.retryAfterMs : undefined
    const ownMs = Math.min(longestPauseMs, 500 * 2 ** pauses) * (0.75 + Math.random() / 2)
    pauses += 1
    const now = performance.now()
    awaySince ??= now
    if (isOutage(failure) && now + (askedMs ?? 0) - awaySince < outageMs) return askedMs ?? ownMs
    tried += 1
    leftMs -= askedMs ?? 0
    if (tried > times || leftMs < 0 || !isTemporary(failure)) throw failure
    return askedMs ?? ownMs
  }
}

/** Waits; rejects with the reason of the signal if it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
