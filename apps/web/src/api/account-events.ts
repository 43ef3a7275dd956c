import type { Event } from '@lathe/contract'
import { readEvents } from '@lathe/sdk'
import { createStore } from '../lib/store.ts'
import { wait, waitForNetwork } from '../lib/wait.ts'
import { api } from './client.ts'
import { statusOf } from './errors.ts'
import { watchSilence } from './watch-silence.ts'

export interface AccountListener {
  onEvent(event: Event): void
  /** The stream was opened or reopened: what is shown may be older than the first event. */
  onOpen(): void
  /** The user is no longer signed in. */
  onSignedOut?(): void
}

/** Whether events of the account currently arrive. */
export const liveStore = createStore(false)

// The service answers immediately. A dead connection does not: the next attempt uses another one.
const openingMs = 15_000
// The service sends a heartbeat every 15 seconds.
const silenceMs = 45_000
// A stream has no fixed duration: silence ends it. The longest that a timer can be.
const noTimeoutMs = 2 ** 31 - 1

const listeners = new Set<AccountListener>()
let stop: AbortController | undefined

/**
 * Reports all events of the account, over one connection for all listeners, because a browser allows few connections
 * per host. A stream that ends, breaks or falls silent is resumed. Returns a function that stops listening.
 */
export function listenToAccount(listener: AccountListener): () => void {
  listeners.add(listener)
  if (liveStore.get()) listener.onOpen()
  if (!stop) {
    stop = new AbortController()
    void follow(stop.signal).catch(() => undefined)
  }
  return () => {
    listeners.delete(listener)
    // A page stops listening before the next one starts: keep the stream for it.
    setTimeout(endIfUnused, 1000)
  }
}

function endIfUnused(): void {
  if (listeners.size > 0) return
  stop?.abort()
  stop = undefined
}

async function follow(signal: AbortSignal): Promise<void> {
  const progress = { lastEventId: '', failures: 0 }
  while (!signal.aborted) {
    try {
      await readStream(progress, signal)
    } catch (cause) {
      progress.failures += 1
      if (statusOf(cause) === 401) for (const one of [...listeners]) one.onSignedOut?.()
    } finally {
      // Another stream may have been opened since this one ended.
      if (!signal.aborted) liveStore.set(false)
    }
    await waitForNetwork(60_000, signal)
    await wait(Math.min(15_000, 500 * 2 ** progress.failures), signal)
  }
}

interface Progress {
  /** Where the next stream resumes. */
  lastEventId: string
  /** Attempts since a stream was last opened. */
  failures: number
}

/** Reads one stream until it ends. Throws if it breaks or falls silent. */
async function readStream(progress: Progress, signal: AbortSignal): Promise<void> {
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
    liveStore.set(true)
    for (const one of [...listeners]) one.onOpen()
    for await (const { id, data } of readEvents(body, () => silence.heard(silenceMs))) {
      if (id !== '') progress.lastEventId = id
      if (data === '') continue
      const event = JSON.parse(data) as Event
      for (const one of [...listeners]) one.onEvent(event)
    }
  } finally {
    release?.()
    silence.stop()
  }
}
