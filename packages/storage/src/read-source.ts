import { Readable } from 'node:stream'
import { SizeExceeded } from './object-store.ts'

export interface ReadOptions {
  readonly signal: AbortSignal
  readonly maxSize?: number | undefined
}

/** Reads a source until its end, its size limit or the signal, even if its next chunk never arrives. */
export async function* readSource(
  source: AsyncIterable<Uint8Array>,
  { signal, maxSize = Number.POSITIVE_INFINITY }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  const iterator = source[Symbol.asyncIterator]()
  let giveUp: (reason: unknown) => void = () => {}
  const onAbort = () => giveUp(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  let size = 0
  let isDone = false
  try {
    for (;;) {
      // Racing against one promise for the whole source would keep a reaction for every chunk.
      const step = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        giveUp = reject
        iterator.next().then(resolve, reject)
      })
      signal.throwIfAborted()
      isDone = step.done === true
      if (step.done) return
      size += step.value.length
      if (size > maxSize) throw new SizeExceeded(maxSize)
      if (step.value.length > 0) yield step.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    if (!isDone) leave(source, iterator)
  }
}

// Not awaited: a generator that is stuck on its next chunk would block us.
function leave(source: AsyncIterable<Uint8Array>, iterator: AsyncIterator<Uint8Array>): void {
  if (source instanceof Readable) source.destroy()
  else iterator.return?.().catch(() => {})
}
