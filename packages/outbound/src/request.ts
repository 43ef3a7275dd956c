import type { Readable } from 'node:stream'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { ask, type Transport } from './ask.ts'
import { openBody } from './body.ts'
import type { RequestContent } from './exchange.ts'
import { parseTarget } from './target.ts'

export interface RequestOptions extends RequestContent {
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes of the answer's body. */
  readonly maxSize: number
}

/** What a host answered, whatever it is. */
export interface RequestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Fails with TransferFailed when the transfer goes wrong; must be read to its end or destroyed. */
  readonly body: Readable
}

/** Sends one request over a connection of its own. Redirects are not followed: they are the answer. */
export async function request(way: Transport, url: string, options: RequestOptions): Promise<RequestAnswer | Failure> {
  const { signal, maxSize, method, body, headers = {} } = options
  signal.throwIfAborted()
  const target = parseTarget(url)
  if (isFailure(target)) return target
  // Here every secret is a header: one in the address would be a mistake of the caller's.
  if (target.authorization !== undefined) return failure('url_forbidden', { detail: 'userinfo' })
  const letter = { method, ...(body !== undefined && { body }) }
  const answer = await ask(way, target, { ...letter, headers, signal })
  if (isFailure(answer)) return answer
  const content = openBody(answer, { maxSize, signal, limits: way.limits })
  if (!isFailure(content)) return { status: answer.status, headers: answer.headers, body: content }
  answer.close()
  return content
}
