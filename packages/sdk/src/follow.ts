import { ConnectionError, LatheError, RequestError } from './errors.ts'
import type { ApiEvent, Job, Task } from './generated/types.ts'
import type { OpenResponse } from './request.ts'
import { readEvents } from './sse.ts'
import { pause, type Transport } from './transport.ts'

export interface FollowOptions {
  readonly signal?: AbortSignal
  /** Called with every event, once and in order. */
  readonly onEvent?: (event: ApiEvent) => void
}

export interface DoneOptions extends FollowOptions {
  /** Returns a failed job or task instead of throwing. */
  readonly evenIfFailed?: boolean
}

const ended = new Set(['completed', 'failed', 'canceled', 'deleted'])
// A stream sends a heartbeat every 15 seconds.
const silenceMs = 45_000
const waitS = 30

const failuresInARow = 5
const idleMs = 1000
// Enough to recognize repeated events: after a reconnect they are at most a minute old.
const mostReported = 10_000

/** Events of a job or task, from the first to the last, across lost connections. None is repeated or missed. */
export async function* events(transport: Transport, path: string, signal?: AbortSignal): AsyncGenerator<ApiEvent> {
  let last = '0'
  const isNew = createIsNew()
  for (let failures = 0; ; ) {
    const opened = await open(transport, path, last, signal)
    const { status, body } = opened.response
    // There are no more events.
    if (status === 204 || !body) return opened.release()
    let isIdle = true
    try {
      const reached = (id: string) => {
        last = id
      }
      for await (const event of readStream(body, opened.release, reached)) {
        failures = 0
        isIdle = false
        if (isNew(event)) yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      failures += 1
      if (failures > failuresInARow) throw error
      await pause(500 * failures, signal)
      continue
    }
    // A server that is stopping ends every stream at once: do not reconnect in a tight loop.
    if (isIdle) await pause(idleMs, signal)
  }
}

/** The events of one stream. `reached` receives the position to resume from, which heartbeats move too. */
async function* readStream(
  body: ReadableStream<Uint8Array>,
  release: () => void,
  reached: (id: string) => void,
): AsyncGenerator<ApiEvent> {
  for await (const { id, data } of readEvents(watched(body, release))) {
    if (id !== '') reached(id)
    if (data !== '') yield JSON.parse(data) as ApiEvent
  }
}

/** Detects events that are repeated after a reconnect. Progress is not stored, so it is never repeated. */
function createIsNew(): (event: ApiEvent) => boolean {
  const reported = new Set<string>()
  return ({ id, type }) => {
    if (reported.has(id)) return false
    if (type !== 'task.progress') reported.add(id)
    if (reported.size > mostReported) reported.delete(reported.values().next().value ?? '')
    return true
  }
}

function open(transport: Transport, path: string, last: string, signal?: AbortSignal): Promise<OpenResponse> {
  const headers = { accept: 'text/event-stream', ...(last !== '0' && { 'last-event-id': last }) }
  // A stream has no fixed duration, so `watched` detects silence instead.
  return transport.open(`${path}/events`, { headers, timeoutMs: 2 ** 31 - 1, ...(signal && { signal }) })
}

/** A stream that fails when it is silent for too long. Its request is released when it ends. */
function watched(body: ReadableStream<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new ConnectionError('The stream of events fell silent.')), silenceMs)
      })
      try {
        const { done, value } = await Promise.race([reader.read(), silence])
        if (!done) return controller.enqueue(value)
        release()
        controller.close()
      } catch (error) {
        release()
        await reader.cancel().catch(() => undefined)
        controller.error(error)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel(reason) {
      release()
      return reader.cancel(reason)
    },
  })
}

/** Waits until a job or task has ended: by its events, or by polling if streams do not get through. */
export async function untilEnded<T extends Job | Task>(
  transport: Transport,
  path: string,
  { signal, onEvent }: FollowOptions = {},
): Promise<T> {
  const withSignal = signal ? { signal } : {}
  try {
    for await (const event of events(transport, path, signal)) onEvent?.(event)
  } catch (error) {
    signal?.throwIfAborted()
    // Polling would be refused in the same way, except for a refusal of too many streams.
    const isRefusal = error instanceof RequestError && error.status < 500 && error.status !== 429
    if (isRefusal || !(error instanceof LatheError || error instanceof TypeError)) throw error
  }
  for (;;) {
    const now = await transport.json<T>(path, {
      headers: { prefer: `wait=${waitS}` },
      timeoutMs: 60_000,
      ...withSignal,
    })
    if (ended.has(now.status)) return now
    await pause(1000, signal)
  }
}
