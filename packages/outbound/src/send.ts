import { type Failure, isFailure } from '@lathe/domain'
import { ask, type Transport } from './ask.ts'
import type { Exchange } from './exchange.ts'
import { parseTarget } from './target.ts'
import { unreachable } from './transfer-failed.ts'

export interface SendOptions {
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The time from the DNS lookup to the end of the kept part of the response. */
  readonly timeoutMs: number
}

/** The response of a host to a sent body. */
export interface SentAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of its body. */
  readonly text: string
}

/** The most bytes of a response body that are kept. */
export const keptBytes = 4096

/** Sends a body to one host and keeps the beginning of its response. */
export async function send(way: Transport, url: string, options: SendOptions): Promise<SentAnswer | Failure> {
  options.signal.throwIfAborted()
  const target = parseTarget(url)
  if (isFailure(target)) return target
  const limit = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  try {
    const { body, headers } = options
    const own = target.authorization === undefined ? {} : { authorization: target.authorization }
    const answer = await ask(way, target, { method: 'POST', headers: { ...own, ...headers }, body, signal: limit })
    if (isFailure(answer)) return answer
    return { status: answer.status, headers: answer.headers, text: await readBeginning(answer, limit) }
  } catch (error) {
    options.signal.throwIfAborted()
    return unreachable(error)
  }
}

async function readBeginning({ body, close }: Exchange, signal: AbortSignal): Promise<string> {
  const stop = () => close()
  signal.addEventListener('abort', stop, { once: true })
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      kept.push(chunk)
      size += chunk.length
      if (size >= keptBytes) break
    }
  } catch {
    // Only the status matters: a body that breaks off counts as a short one.
  } finally {
    signal.removeEventListener('abort', stop)
    close()
  }
  return Buffer.concat(kept).subarray(0, keptBytes).toString('utf8')
}
