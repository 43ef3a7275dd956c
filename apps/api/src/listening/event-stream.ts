import { Readable } from 'node:stream'
import type { Event } from '@lathe/contract'
import type { EventPlace } from '@lathe/database'
import type { Hub, SubjectChoice } from '@lathe/events'
import { eventFrame, heartbeatFrame, openingFrame } from './sse-frame.ts'

export interface EventStreamParts {
  readonly hub: Hub
  readonly choice: SubjectChoice
  readonly heartbeatMs: number
  /** Where the events are now, and whether more are to come; undefined if all is gone. */
  look(): Promise<EventPlace | undefined>
  /** The reader takes nothing although much is waiting for it. */
  onStalled(): void
}

// What may wait for a slow reader; beyond it the log keeps the rest.
const bufferBytes = 256 * 1024
// At most so many events are put into the buffer at once.
const eventsAtOnce = 64

export interface EventStream {
  readonly bytes: Readable
  /** Ends it after what is in it. */
  end(): void
}

/** A stream of server-sent events that ends by itself once all has ended and was told. */
export function createEventStream({ hub, choice, heartbeatMs, look, onStalled }: EventStreamParts): EventStream {
  let told = choice.after
  let hasMoved = true
  let isEnding = false
  const stream = new Readable({
    read() {
      hasMoved = true
      watch.wake()
    },
  })
  const isFull = () => stream.readableLength >= bufferBytes
  const end = () => {
    if (!isEnding && !stream.destroyed) stream.push(null)
    isEnding = true
  }

  async function endIfOver(): Promise<void> {
    const place = await look()
    if (!place || (place.isOver && told >= place.seq)) end()
  }
  // If the record cannot be asked now, the next heartbeat asks again.
  const checkEnd = () => void endIfOver().catch(() => undefined)

  const watch = hub.watchSubject(choice, {
    room: () => (isEnding || isFull() ? 0 : eventsAtOnce),
    take(events, { through }) {
      if (isEnding || stream.destroyed) return
      for (const event of events) stream.push(eventFrame(event))
      told = through
      if (events.length === 0 || events.some(isEnd)) checkEnd()
    },
  })
  const timer = setInterval(() => {
    if (isFull() && !hasMoved) return onStalled()
    hasMoved = false
    if (!isEnding && stream.readableLength === 0) stream.push(heartbeatFrame)
    checkEnd()
  }, heartbeatMs)
  stream.once('close', () => {
    clearInterval(timer)
    watch[Symbol.dispose]()
  })
  stream.push(openingFrame)
  return { bytes: stream, end }
}

const ends = new Set<Event['type']>([
  'job.completed',
  'job.failed',
  'task.completed',
  'task.failed',
  'task.canceled',
  'task.deleted',
])

function isEnd({ type }: Event): boolean {
  return ends.has(type)
}
