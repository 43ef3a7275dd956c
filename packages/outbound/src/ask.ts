import { type Failure, isFailure } from '@lathe/domain'
import type { OutboundLimits } from './config.ts'
import { type Exchange, exchange, type RequestContent } from './exchange.ts'
import { openSocket, type Route } from './open-socket.ts'
import type { Target } from './target.ts'
import { unreachable } from './transfer-failed.ts'

/** How to reach hosts, and how long they may take. */
export interface Transport {
  readonly route: Route
  readonly limits: OutboundLimits
}

export interface Question extends RequestContent {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Sends one request to one host. Returns any response as it is, and a Failure if there is none. */
export async function ask(
  { route, limits }: Transport,
  target: Target,
  question: Question,
): Promise<Exchange | Failure> {
  const { signal } = question
  const socket = await openSocket(target, route, signal)
  if (isFailure(socket)) return socket
  try {
    return await exchange(socket, target, { ...question, limits })
  } catch (error) {
    signal.throwIfAborted()
    return unreachable(error)
  }
}
