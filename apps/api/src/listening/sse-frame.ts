import type { Event } from '@lathe/contract'

/** The first frame: makes an EventSource reconnect after 2 seconds. */
export const openingFrame = 'retry: 2000\n\n'

/** A comment, which readers ignore: it shows that both ends are alive. */
export const heartbeatFrame = ': still here\n\n'

/** A heartbeat that also sets the position from which the reader resumes. */
export const markFrame = (mark: string) => `: still here\nid: ${mark}\n\n`

/** An event on the wire. Progress has no id, so that a reader resumes after the last event in the log. */
export function eventFrame(event: Event, mark: number | string): string {
  const id = event.type === 'task.progress' ? '' : `id: ${mark}\n`
  // JSON has no line breaks outside strings, and escapes those inside.
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
