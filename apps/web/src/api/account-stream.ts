import type { Event } from '@lathe/contract'
import { readEvents } from '@lathe/sdk'
import { wait, waitForNetwork } from '../lib/wait.ts'
import { api } from './client.ts'
import { statusOf } from './errors.ts'
import { watchSilence } from './watch-silence.ts'

/** What happens on a stream of events. An empty id leaves the position in the stream as it was. */
export type StreamNews =
  /** The stream was opened or reopened: what is shown may be older than its first event. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'event'; readonly id: string; readonly event: Event }
  /** The stream is open. */
  | { readonly kind: 'beat'; readonly id: string }
  /** It has ended, broken or fallen silent, or could not be opened. The next attempt follows. */
  | { readonly kind: 'lost' }
  /** The user is no longer signed in. */
  | { readonly kind: 'signed-out' }

// The service answers immediately. A dead connection does not: the next attempt uses another one.
const openingMs = 15_000
// The service sends a heartbeat every 15 seconds.
export const silenceMs = 45_000
// A stream has no fixed duration: silence ends it. The longest that a timer can be.
const noTimeoutMs = 2 ** 31 - 1

interface Progress {
  /** Where the next stream resumes. */
  lastEventId: string
  /** Attempts since a stream was last opened. */
  failures: number
}

/** Reads the events of the account after the given one until the signal aborts. A stream that ends is resumed. */
export async function readAccount(
  tell: (news: StreamNews) => void,
  lastEventId: string,
  signal: AbortSignal,
): Promise<void> {
  const progress = { lastEventId, failures: 0 }
  while (!signal.aborted) {
    try {
      await readStream(progress, tell, signal)
    } catch (cause) {
      progress.failures += 1
      if (statusOf(cause) === 401) tell({ kind: 'signed-out' })
    } finally {
      if (!signal.aborted) tell({ kind: 'lost' })
    }
    await waitForNetwork(60_000, signal)
    await wait(Math.min(15_000, 500 * 2 ** progress.failures), signal)
  }
}

/** Reads one stream until it ends. Throws if it breaks or falls silent. */
async function readStream(progress: Progress, tell: (news: StreamNews) => void, signal: AbortSignal): Promise<void> {
  const { lastEventId } = progress
  const silence = watchSilence(openingMs, signal)
  let release: (() => void) | undefined
  try {
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }
    const call = { headers, signal: silence.signal, once: true, timeoutMs: noTimeoutMs }
    const opened = await api().open('/v1/process/events', call)
    release = opened.release
    const { body } = opened.response
    if (!body) return
    silence.heard(silenceMs)
    progress.failures = 0
    tell({ kind: 'opened' })
    for await (const { id, data } of readEvents(body, () => silence.heard(silenceMs))) {
      if (id !== '') progress.lastEventId = id
      tell(data === '' ? { kind: 'beat', id } : { kind: 'event', id, event: JSON.parse(data) as Event })
    }
  } finally {
    release?.()
    silence.stop()
  }
}
