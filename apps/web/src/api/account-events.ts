import type { Event } from '@lathe/contract'
import { createStore } from '../lib/store.ts'
import { wait, waitForNetwork } from '../lib/wait.ts'
import { ApiError } from './api-error.ts'
import { send } from './client.ts'
import { readEvents } from './read-events.ts'
import { watchSilence } from './watch-silence.ts'

export interface AccountListener {
  onEvent(event: Event): void
  /** The stream has begun, or begun again: what is shown may be older than the first event. */
  onOpen(): void
  /** Nobody is signed in any more. */
  onSignedOut?(): void
}

/** Whether events of the account arrive at present. */
export const liveStore = createStore(false)

// The service answers at once. A connection that has died unnoticed does not: the next attempt takes another one.
const openingMs = 15_000
// The service sends a heartbeat every 15 seconds.
const silenceMs = 45_000

const listeners = new Set<AccountListener>()
let stop: AbortController | undefined

/**
 * Reports everything that happens in the account, over one connection however many listen: a browser has few of them to
 * a host. A stream that ends, breaks or falls silent is resumed where it was. Returns the way to stop.
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
    // One page is left before the next listens: the stream is kept for it.
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
      if (cause instanceof ApiError && cause.status === 401) for (const one of [...listeners]) one.onSignedOut?.()
    } finally {
      // Another stream may have begun since this one was ended.
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
  try {
    const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }
    const { body } = await send('/v1/process/events', { headers, signal: silence.signal })
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
    silence.stop()
  }
}
