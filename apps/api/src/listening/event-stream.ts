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
  /** Where the events are now, and whether more are to come; undefined if all is gone. */
  look(): Promise<EventPlace | undefined>
  /** Events as this reader may see them; as they are if not given. */
  readonly show?: (event: Event) => Event
  /** The reader takes nothing although much is waiting for it. */
  onStalled(): void
}

export interface EventStream {
  readonly bytes: Readable
  /** Ends it after what is in it. */
  end(): void
}

/** A stream of server-sent events that ends by itself once all has ended and was told. */
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
  // If the record cannot be asked now, the next heartbeat asks again.
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
