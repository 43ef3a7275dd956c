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

/** The answer's body behind all limits: a Readable that ends well, or with TransferFailed, or with the caller's abort. */
export function openBody(answer: Exchange, rules: BodyRules): Readable | Failure {
  const decoder = findDecoder(answer.headers['content-encoding'])
  if (decoder === 'unknown') return failure('source_refused', { detail: 'content-encoding' })
  if (Number(answer.headers['content-length']) > rules.maxSize) return failure('limit_exceeded')
  // Counted on the wire as well: a compressed stream can go on for ever and say nothing.
  const wire = bounded(paced(answer.body, rules.limits), rules.maxSize)
  const chunks = decoder ? bounded(decode(wire, decoder), rules.maxSize) : wire
  return addAbortSignal(rules.signal, toReadable(chunks, answer.close))
}

// Not Readable.from: its destroy waits for the chunk under way, which a silent host never sends.
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

/** Passes bytes on until there are too many. */
async function* bounded(source: AsyncIterable<Uint8Array>, maxSize: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > maxSize) throw new TransferFailed(failure('limit_exceeded'))
    if (chunk.length > 0) yield chunk
  }
}

/** Stops a source that trickles. Only the time spent waiting for it counts, so a slow reader is not held against it. */
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
