/** One event of a stream of server-sent events. */
export interface StreamEvent {
  /** Where a stream resumes after it: the `Last-Event-ID` to send. Empty if the stream has no ids. */
  readonly id: string
  readonly type: string
  /** Empty if the server sent only an id, to move the position to resume from. */
  readonly data: string
}

/**
 * Reads server-sent events as they arrive, following the HTML standard: one field per line, an event at each empty line.
 * `onBytes` is called whenever something arrives, also a part of an event or a comment.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes?: () => void): AsyncGenerator<StreamEvent> {
  let event = noEvent('')
  for await (const line of readLines(body, onBytes)) {
    if (line !== '') readField(line, event)
    else {
      const { id, type, data, hasId } = event
      if (data.length > 0 || hasId) yield { id, type, data: data.join('\n') }
      event = noEvent(id)
    }
  }
}

/** Complete lines, whichever of the three line ends they have. */
async function* readLines(body: ReadableStream<Uint8Array>, onBytes?: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let endsInCr = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes?.()
      const text = decoder.decode(value, { stream: true })
      // The second half of a line end that arrives in two pieces.
      const lines = (rest + (endsInCr ? text.replace(/^\n/, '') : text)).split(/\r\n|\n|\r/)
      rest = lines.pop() ?? ''
      if (text !== '') endsInCr = text.endsWith('\r')
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** An event whose lines are being read. It has the id of the event before it, unless it has its own. */
interface OpenEvent {
  id: string
  type: string
  hasId: boolean
  readonly data: string[]
}

const noEvent = (id: string): OpenEvent => ({ id, type: 'message', hasId: false, data: [] })

function readField(line: string, event: OpenEvent): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') event.data.push(value)
  else if (name === 'event') event.type = value || 'message'
  // "If the field value does not contain U+0000 NULL, then set the last event ID buffer to the field value."
  else if (name === 'id' && !value.includes('\0')) {
    event.id = value
    event.hasId = true
  }
}
