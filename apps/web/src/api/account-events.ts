import type { Event } from '@lathe/contract'
import { createStore } from '../lib/store.ts'
import { sessionStore } from '../session/session.ts'
import { readAccount, type StreamNews } from './account-stream.ts'
import { shareStream } from './share-stream.ts'

export interface AccountListener {
  onEvent(event: Event): void
  /** The stream was opened or reopened: what is shown may be older than the first event. */
  onOpen(): void
  /** The user is no longer signed in. */
  onSignedOut?(): void
}

/** Whether events of the account currently arrive. */
export const liveStore = createStore(false)

const listeners = new Set<AccountListener>()
let stop: AbortController | undefined

/**
 * Reports all events of the account, over one connection for all listeners in all tabs. Returns a function that stops
 * listening.
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
  liveStore.set(false)
}

function follow(signal: AbortSignal): Promise<void> {
  // Another stream may have been opened since this one was stopped.
  const take = (news: StreamNews) => void (signal.aborted || report(news))
  const owner = sessionStore.get()?.owner?.id
  // A pasted key belongs to one tab, and browsers have no locks on plain HTTP: then each tab has its own stream.
  return owner === undefined || navigator.locks === undefined
    ? readAccount(take, '', signal)
    : shareStream(`lathe-events-${owner}`, readAccount, take, signal)
}

function report(news: StreamNews): void {
  if (news.kind === 'opened') liveStore.set(true)
  if (news.kind === 'lost') liveStore.set(false)
  for (const one of [...listeners]) {
    if (news.kind === 'opened') one.onOpen()
    if (news.kind === 'event') one.onEvent(news.event)
    if (news.kind === 'signed-out') one.onSignedOut?.()
  }
}
