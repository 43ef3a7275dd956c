import type { Event } from '@lathe/contract'
import type { ObjectId } from '@lathe/domain'
import type { Hub, Watch } from '@lathe/events'
import type { EventStream } from './event-stream.ts'
import { createFrameStream } from './frame-stream.ts'
import { eventFrame, markFrame, openingFrame } from './sse-frame.ts'

export interface AccountStreamParts {
  readonly hub: Pick<Hub, 'watchFeed'>
  readonly ownerId: ObjectId
  readonly heartbeatMs: number
  /** The time up to which the reader has all events; defaults to now. */
  readonly since: Date | undefined
  readonly now: Date
  onStalled(): void
}

/**
 * A stream of all events of an account, which continues until one side ends it. Events of different jobs arrive in no
 * fixed order, and a reader that resumes must not miss any. So the id sent with an event is the time up to which all
 * events were sent, not the time of the event.
 */
export async function createAccountStream(parts: AccountStreamParts): Promise<EventStream> {
  const { hub, ownerId, heartbeatMs, since, now, onStalled } = parts
  let watch: Watch | undefined
  let mark = (since ?? now).toISOString()
  const stream = createFrameStream({
    heartbeatMs,
    onRead: () => watch?.wake(),
    onBeat: () => markFrame(mark),
    onStalled,
    onClose: () => watch?.[Symbol.dispose](),
  })
  stream.push(openingFrame + markFrame(mark))
  const listener = {
    room: stream.room,
    take(events: readonly Event[]) {
      for (const event of events) stream.push(eventFrame(event, mark))
    },
    caughtUp(moment: Date) {
      mark = moment.toISOString()
    },
  }
  watch = await hub.watchFeed({ ownerId, kind: 'all' }, listener, since)
  if (stream.bytes.destroyed) watch[Symbol.dispose]()
  return { bytes: stream.bytes, end: stream.end }
}
