import type { Event } from '@lathe/contract'

/** The events of a stream of server-sent events, as they arrive. */
export async function* eventsOf({ body }: Response): AsyncGenerator<Event> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const frames = rest.split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const [, data] = /^data: (.*)$/m.exec(frame) ?? []
      if (data) yield JSON.parse(data)
    }
  }
}
