import type { Event } from '@lathe/contract'

/** What a stream begins with: an EventSource that is cut off comes back after 2 seconds. */
export const openingFrame = 'retry: 2000\n\n'

/** A comment, which readers pass over: it shows that both ends are alive. */
export const heartbeatFrame = ': still here\n\n'

/** The same, and from where on a reader resumes from now on. */
export const markFrame = (mark: string) => `: still here\nid: ${mark}\n\n`

/** An event on the wire. Progress has no id, so that a reader resumes after the last event that was kept. */
export function eventFrame(event: Event, mark: number | string): string {
  const id = event.type === 'task.progress' ? '' : `id: ${mark}\n`
  // JSON has no line breaks outside strings, and escapes those inside.
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
