import { Readable } from 'node:stream'

export interface FrameStreamParts {
  readonly heartbeatMs: number
  /** The reader has taken something: there may be room again. */
  onRead(): void
  /** Comes with every heartbeat, and gives what is sent if nothing waits. */
  onBeat(): string
  /** The reader takes nothing although much is waiting for it. */
  onStalled(): void
  onClose(): void
}

// What may wait for a slow reader; beyond it the log keeps the rest.
const bufferBytes = 256 * 1024
// At most so many events are put into the buffer at once.
const eventsAtOnce = 64

/** A stream of text to one reader, who is never sent more than fits a buffer. */
export interface FrameStream {
  readonly bytes: Readable
  /** How many more events there is room for. */
  room(): number
  push(frame: string): void
  /** Ends it after what is in it. */
  end(): void
}

export function createFrameStream({ heartbeatMs, onRead, onBeat, onStalled, onClose }: FrameStreamParts): FrameStream {
  let hasMoved = true
  let isEnding = false
  const stream = new Readable({
    read() {
      hasMoved = true
      onRead()
    },
  })
  const isFull = () => stream.readableLength >= bufferBytes
  const timer = setInterval(() => {
    if (isFull() && !hasMoved) return onStalled()
    hasMoved = false
    const beat = onBeat()
    if (!isEnding && stream.readableLength === 0) stream.push(beat)
  }, heartbeatMs)
  stream.once('close', () => {
    clearInterval(timer)
    onClose()
  })
  return {
    bytes: stream,
    room: () => (isEnding || isFull() ? 0 : eventsAtOnce),
    push(frame) {
      if (!isEnding && !stream.destroyed) stream.push(frame)
    },
    end() {
      if (!isEnding && !stream.destroyed) stream.push(null)
      isEnding = true
    },
  }
}
