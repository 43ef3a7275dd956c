import type { Readable } from 'node:stream'
import { type Failure, failure, isFailure } from '@lathe/domain'
import { ask, type Transport } from './ask.ts'
import { openBody } from './body.ts'
import type { RequestContent } from './exchange.ts'
import { parseTarget } from './target.ts'

export interface RequestOptions extends RequestContent {
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The most bytes of the response body. */
  readonly maxSize: number
}

/** The response of a host, with any status. */
export interface RequestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Fails with TransferFailed when the transfer breaks. Must be read to its end or destroyed. */
  readonly body: Readable
}

/** Sends one request over its own connection. Redirects are not followed: they are the response. */
export async function request(way: Transport, url: string, options: RequestOptions): Promise<RequestAnswer | Failure> {
  const { signal, maxSize, method, body, headers = {} } = options
  signal.throwIfAborted()
  const target = parseTarget(url)
  if (isFailure(target)) return target
  // Here every secret is a header: credentials in the URL would be a mistake of the caller.
  if (target.authorization !== undefined) return failure('url_forbidden', { detail: 'userinfo' })
  const init = { method, ...(body !== undefined && { body }) }
  const answer = await ask(way, target, { ...init, headers, signal })
  if (isFailure(answer)) return answer
  const content = openBody(answer, { maxSize, signal, limits: way.limits })
  if (!isFailure(content)) return { status: answer.status, headers: answer.headers, body: content }
  answer.close()
  return content
}
