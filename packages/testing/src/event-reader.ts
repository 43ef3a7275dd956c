import type { Event } from '@lathe/contract'

/** One frame of a stream of server-sent events. */
export interface Frame {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: Event | undefined
  /** Set if the frame is a comment. */
  readonly comment: string | undefined
}

/** A reader of server-sent events. */
export interface EventReader {
  readonly status: number
  readonly headers: Headers
  readonly frames: Frame[]
  /** Resolves when the stream has ended: true if it ended normally, false if it was cut. */
  readonly ended: Promise<boolean>
  events(): Event[]
  seqs(): number[]
  leave(): void
}

/** Opens a stream and reads it until it ends. */
export async function readEvents(url: string, headers: Record<string, string>): Promise<EventReader> {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
  const frames: Frame[] = []
  const events = () => frames.flatMap(({ data }) => data ?? [])
  return {
    status: response.status,
    headers: response.headers,
    frames,
    ended: readFrames(response, (frame) => void frames.push(frame)).then(
      () => true,
      () => false,
    ),
    events,
    seqs: () => events().map(({ seq }) => seq),
    leave: () => leaving.abort(),
  }
}

async function readFrames({ body }: Response, take: (frame: Frame) => void): Promise<void> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const parts = rest.split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) take(toFrame(part))
  }
}

function toFrame(text: string): Frame {
  const field = (name: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const data = field('data')
  return { id: field('id'), event: field('event'), data: data && JSON.parse(data), comment: field('') }
}
