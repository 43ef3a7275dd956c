import { ConnectionError, LatheError } from './errors.ts'
import type { ApiEvent, Job, Task } from './generated/types.ts'
import { readWithin } from './request.ts'
import { readEvents } from './sse.ts'
import { createRetries, longestWaitMs, mayPass, pause, type Transport } from './transport.ts'

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

/** The events of a job, a task or the account, from the first to the last, over as many connections as it takes. */
interface EventStream {
  /** Whether there are no more events. */
  readonly isOver: boolean
  /** Where the next connection resumes. */
  readonly position: string
  /** Events of one connection, none of which was returned before. Throws a `LatheError` if it is lost. */
  read(): AsyncGenerator<ApiEvent>
}

function createStream(transport: Transport, path: string, signal?: AbortSignal): EventStream {
  const isNew = createIsNew()
  const stream = { isOver: false, position: '0', read }

  async function* read(): AsyncGenerator<ApiEvent> {
    const { position } = stream
    const headers = { accept: 'text/event-stream', ...(position !== '0' && { 'last-event-id': position }) }
    const call = { headers, isStream: true, timeoutMs: silenceMs, once: true, ...(signal && { signal }) }
    const { response, release } = await transport.open(`${path}/events`, call)
    stream.isOver = response.status === 204
    try {
      if (!stream.isOver && response.body) yield* readBody(response.body)
    } catch (cause) {
      signal?.throwIfAborted()
      throw new ConnectionError('The stream of events was lost.', { cause })
    } finally {
      release()
    }
  }

  async function* readBody(body: ReadableStream<Uint8Array>): AsyncGenerator<ApiEvent> {
    for await (const { id, data } of readEvents(watched(body))) {
      // Heartbeats have a position, too.
      if (id !== '') stream.position = id
      const event = data === '' ? undefined : (JSON.parse(data) as ApiEvent)
      if (event && isNew(event)) yield event
    }
  }

  return stream
}

/** Events of a job, a task or the account, from the first to the last, across lost connections. None is repeated or missed. */
export async function* events(transport: Transport, path: string, signal?: AbortSignal): AsyncGenerator<ApiEvent> {
  const stream = createStream(transport, path, signal)
  const limits = { times: failuresInARow, waitMs: longestWaitMs, outageMs: transport.outageMs }
  let pauseFor = createRetries(limits)
  while (!stream.isOver) {
    const { position } = stream
    let pauseMs = 0
    try {
      for await (const event of stream.read()) yield event
      // A server that is stopping ends every stream at once: do not reconnect in a tight loop.
      if (stream.position === position) pauseMs = idleMs
    } catch (error) {
      signal?.throwIfAborted()
      if (stream.position !== position) pauseFor = createRetries(limits)
      pauseMs = pauseFor(error)
    }
    if (!stream.isOver) await pause(pauseMs, signal)
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

/** A stream that fails when it is silent for too long. */
function watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await readWithin(reader, silenceMs)
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        await reader.cancel().catch(() => undefined)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/**
 * Waits until a job or task has ended: by its events, or by polling if streams do not get through. An outage is waited
 * for; afterwards the events go on where they stopped.
 */
export async function untilEnded<T extends Job | Task>(
  transport: Transport,
  path: string,
  { signal, onEvent }: FollowOptions = {},
): Promise<T> {
  const stream = createStream(transport, path, signal)
  // Streams in a row that brought nothing.
  let failures = 0

  async function readStream(): Promise<void> {
    const { position } = stream
    failures += 1
    try {
      for await (const event of stream.read()) {
        failures = 0
        onEvent?.(event)
      }
    } catch (error) {
      signal?.throwIfAborted()
      // Polling would be refused in the same way. Another error is that of `onEvent`.
      if (!(error instanceof LatheError) || !mayPass(error)) throw error
      failures ||= 1
    }
    if (stream.position !== position && failures > 1) failures = 1
  }

  for (;;) {
    if (failures <= failuresInARow) await readStream()
    // It ended without an error: there may be more events.
    if (failures === 0 && !stream.isOver) continue
    const now = await transport.json<T>(path, {
      // After an interruption, the events are to go on at once.
      headers: failures === 1 ? {} : { prefer: `wait=${waitS}` },
      timeoutMs: 60_000,
      patient: true,
      ...(signal && { signal }),
    })
    if (ended.has(now.status)) {
      // Events that came meanwhile.
      if (!stream.isOver && failures <= failuresInARow) await readStream().catch(unlessLost)
      return now
    }
    await pause(idleMs, signal)
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LatheError)) throw error
}
