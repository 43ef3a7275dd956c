import { Readable } from 'node:stream'

export interface FrameStreamParts {
  readonly heartbeatMs: number
  /** The reader has read something: there may be room again. */
  onRead(): void
  /** Called for every heartbeat; returns what is sent if the buffer is empty. */
  onBeat(): string
  /** The reader does not read although its buffer is full. */
  onStalled(): void
  onClose(): void
}

// The buffer of a slow reader; further events stay in the log.
const bufferBytes = 256 * 1024
// How many events are put into the buffer at once.
const eventsAtOnce = 64

/** A stream of text to one reader that never buffers more than a fixed size. */
export interface FrameStream {
  readonly bytes: Readable
  /** How many more events there is room for. */
  room(): number
  push(frame: string): void
  /** Ends the stream once its buffer was read. */
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
