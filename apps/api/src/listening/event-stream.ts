import type { Readable } from 'node:stream'
import type { Event } from '@lathe/contract'
import type { EventPlace } from '@lathe/database'
import type { Hub, SubjectChoice } from '@lathe/events'
import { createFrameStream } from './frame-stream.ts'
import { eventFrame, heartbeatFrame, openingFrame } from './sse-frame.ts'

export interface EventStreamParts {
  readonly hub: Hub
  readonly choice: SubjectChoice
  readonly heartbeatMs: number
  /** The position of the newest event and whether more will follow; undefined if the job or task is gone. */
  look(): Promise<EventPlace | undefined>
  /** Maps events to what this reader may see; unchanged by default. */
  readonly show?: (event: Event) => Event
  /** The reader does not read although its buffer is full. */
  onStalled(): void
}

export interface EventStream {
  readonly bytes: Readable
  /** Ends the stream once its buffer was read. */
  end(): void
}

/** A stream of server-sent events that ends once the job or task has ended and all events were sent. */
export function createEventStream(parts: EventStreamParts): EventStream {
  const { hub, choice, heartbeatMs, look, onStalled, show = (event) => event } = parts
  let reported = choice.after
  const stream = createFrameStream({
    heartbeatMs,
    onRead: () => watch.wake(),
    onBeat() {
      checkEnd()
      return heartbeatFrame
    },
    onStalled,
    onClose: () => watch[Symbol.dispose](),
  })

  async function endIfOver(): Promise<void> {
    const place = await look()
    if (!place || (place.isOver && reported >= place.seq)) stream.end()
  }
  // If the database cannot be reached now, the next heartbeat tries again.
  const checkEnd = () => void endIfOver().catch(() => undefined)

  const watch = hub.watchSubject(choice, {
    room: stream.room,
    take(events, { through }) {
      for (const event of events) stream.push(eventFrame(show(event), event.seq))
      reported = through
      if (events.length === 0 || events.some(isEnd)) checkEnd()
    },
  })
  stream.push(openingFrame)
  return { bytes: stream.bytes, end: stream.end }
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
