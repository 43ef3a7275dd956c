/** One server-sent event. */
export interface ServerEvent {
  readonly id: string
  readonly type: string
  readonly data: string
}

/**
 * Reads server-sent events from a body, following the HTML standard: one field per line, an event at each empty line.
 * An event without data has only an id and moves the position to resume from.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes?: () => void): AsyncGenerator<ServerEvent> {
  let rest = ''
  let event = { id: '', type: 'message', data: '' }
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes?.()
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line !== '') event = withLine(event, line)
        else {
          if (event.data !== '' || event.id !== '') yield event
          event = { id: '', type: 'message', data: '' }
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function withLine(event: ServerEvent, line: string): ServerEvent {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
  if (name === 'data') return { ...event, data: event.data === '' ? value : `${event.data}\n${value}` }
  if (name === 'event') return { ...event, type: value }
  if (name === 'id') return { ...event, id: value }
  return event
}
