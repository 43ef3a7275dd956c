import { addAbortSignal, Readable } from 'node:stream'
import { type Failure, failure } from '@lathe/domain'
import type { OutboundLimits } from './config.ts'
import { decode, findDecoder } from './decode.ts'
import type { Exchange } from './exchange.ts'
import { TransferFailed, unreachable } from './transfer-failed.ts'

const tooSlow = failure('source_unreachable', { detail: 'too slow' })

export interface BodyRules {
  readonly maxSize: number
  readonly limits: OutboundLimits
  readonly signal: AbortSignal
}

/** The body with all limits applied. Ends normally, with TransferFailed, or with the caller's abort reason. */
export function openBody(answer: Exchange, rules: BodyRules): Readable | Failure {
  const decoder = findDecoder(answer.headers['content-encoding'])
  if (decoder === 'unknown') return failure('source_refused', { detail: 'content-encoding' })
  if (Number(answer.headers['content-length']) > rules.maxSize) return failure('limit_exceeded')
  // Also counted before decoding: a compressed stream can be endless and decode to nothing.
  const wire = bounded(paced(answer.body, rules.limits), rules.maxSize)
  const chunks = decoder ? bounded(decode(wire, decoder), rules.maxSize) : wire
  return addAbortSignal(rules.signal, toReadable(chunks, answer.close))
}

// Not Readable.from: its destroy waits for the next chunk, which a silent host never sends.
function toReadable(chunks: AsyncGenerator<Uint8Array>, close: () => void): Readable {
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: unknown) => this.destroy(toTransferFailed(error)),
      )
    },
    destroy(error, done) {
      close()
      chunks.return(undefined).catch(() => {})
      done(error)
    },
  })
}

/** Passes bytes on until they exceed the limit. */
async function* bounded(source: AsyncIterable<Uint8Array>, maxSize: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxSize) throw new TransferFailed(failure('limit_exceeded'))
    if (chunk.length > 0) yield chunk
  }
}

/** Stops a source that is too slow. Only the time spent waiting for it counts, so a slow reader does no harm. */
async function* paced(source: AsyncIterable<Uint8Array>, limits: OutboundLimits): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]()
  let waitedMs = 0
  let received = 0
  for (;;) {
    const askedAt = performance.now()
    const { done, value } = await chunks.next()
    if (done) return
    waitedMs += performance.now() - askedAt
    received += value.length
    if (waitedMs >= limits.rateWindowMs) {
      if (received * 1000 < limits.minRate * waitedMs) throw new TransferFailed(tooSlow)
      waitedMs = 0
      received = 0
    }
    yield value
  }
}

function toTransferFailed(error: unknown): TransferFailed {
  return error instanceof TransferFailed ? error : new TransferFailed(unreachable(error))
}
