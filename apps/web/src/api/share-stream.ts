import { wait } from '../lib/wait.ts'
import { type StreamNews, silenceMs } from './account-stream.ts'

type Take = (news: StreamNews) => void

/** Reads a stream after the given event until the signal aborts. */
export type ReadStream = (tell: Take, lastEventId: string, signal: AbortSignal) => Promise<void>

/** What tabs tell each other. A new tab asks whether the stream is open. */
type Message = StreamNews | { readonly kind: 'hello' }

const checkEveryMs = 5_000

/**
 * Reads one stream for all tabs that use the same name, because a browser opens only six connections to a host. One
 * tab reads and tells the others. When it is closed, the next one goes on after the last event. The same happens when it
 * tells nothing for too long, because the browser has paused it.
 */
export async function shareStream(name: string, read: ReadStream, take: Take, signal: AbortSignal): Promise<void> {
  const channel = new BroadcastChannel(name)
  let isReading = false
  let isOpen = false
  let lastEventId = ''
  let heardAt = Date.now()

  const isSilent = () => Date.now() - heardAt > silenceMs

  function note(news: StreamNews): void {
    heardAt = Date.now()
    if ('id' in news && news.id !== '') lastEventId = news.id
    // This tab has come when the stream was open already.
    if (news.kind === 'beat' && !isOpen) note({ kind: 'opened' })
    if (news.kind === 'opened') isOpen = true
    if (news.kind === 'lost') isOpen = false
    take(news)
  }

  function tell(news: StreamNews): void {
    channel.postMessage(news satisfies Message)
    note(news)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'hello') return note(data)
    if (isReading && isOpen) channel.postMessage({ kind: 'beat', id: lastEventId } satisfies Message)
  }

  async function readForAll(stop: AbortSignal): Promise<void> {
    isReading = true
    try {
      await read(tell, lastEventId, stop)
    } finally {
      isReading = false
      heardAt = Date.now()
    }
  }

  /** Reads when it is this tab's turn. Ends when another tab has taken over, or when the reader is silent. */
  async function takeTurn(isForced: boolean): Promise<void> {
    const turn = new AbortController()
    const stop = AbortSignal.any([signal, turn.signal])
    let checkedAt = Date.now()
    const watch = setInterval(() => {
      const now = Date.now()
      // This tab was paused itself, for example by a sleeping computer.
      if (now - checkedAt > 3 * checkEveryMs) heardAt = now
      checkedAt = now
      if (!isReading && isSilent()) turn.abort()
    }, checkEveryMs)
    const options = isForced ? { steal: true } : { signal: stop }
    try {
      await navigator.locks.request(name, options, () => readForAll(stop))
    } finally {
      clearInterval(watch)
      turn.abort()
    }
  }

  channel.postMessage({ kind: 'hello' } satisfies Message)
  try {
    while (!signal.aborted) {
      await takeTurn(isShown() && isSilent()).catch(() => undefined)
      if (!signal.aborted) await wait(100, signal)
    }
  } finally {
    channel.close()
  }
}

// Only a tab that somebody looks at takes over from a silent one: browsers slow the others down.
function isShown(): boolean {
  return globalThis.document?.visibilityState !== 'hidden'
}
