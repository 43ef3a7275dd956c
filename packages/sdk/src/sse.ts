/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly data: string
}

/** Reads server-sent events as they arrive. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = frames.pop() ?? ''
      for (const frame of frames) {
        const lines = frame.split('\n')
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field('data')
        if (data !== undefined) yield { id: field('id'), data }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
