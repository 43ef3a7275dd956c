import type { Event } from '@lathe/contract'
import { createStore } from '../lib/store.ts'
import { wait, waitForNetwork } from '../lib/wait.ts'
import { send } from './client.ts'
import { readEvents } from './read-events.ts'

export interface AccountListener {
  onEvent(event: Event): void
  /** The stream has begun, or begun again: what is shown may be older than the first event. */
  onOpen(): void
}

/** Whether events of the account arrive at present. */
export const liveStore = createStore(false)

const listeners = new Set<AccountListener>()
let stop: AbortController | undefined

/** Tells everything that happens in the account, over one connection however many listen. Gives the way to stop. */
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
  let last = ''
  for (let failures = 0; !signal.aborted; ) {
    try {
      last = await readStream(last, signal)
      failures = 0
    } catch {
      failures += 1
    } finally {
      liveStore.set(false)
    }
    await waitForNetwork(60_000, signal)
    await wait(Math.min(15_000, 500 * 2 ** failures), signal)
  }
}

/** Reads until the stream ends, and gives the place it has come to. */
async function readStream(last: string, signal: AbortSignal): Promise<string> {
  const headers = { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) }
  const { body } = await send('/v1/process/events', { headers, signal })
  if (!body) return last
  liveStore.set(true)
  for (const { onOpen } of listeners) onOpen()
  let place = last
  for await (const { id, data } of readEvents(body)) {
    if (id !== '') place = id
    const event = JSON.parse(data) as Event
    for (const { onEvent } of listeners) onEvent(event)
  }
  return place
}
