import type { ObjectId } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientSignal } from './http/client-signal.ts'
import { parseWait } from './http/headers.ts'
import { callerOf } from './route-config.ts'
import type { Services } from './services.ts'

export interface Holdable<T> {
  readonly id: ObjectId
  /** The state if already loaded, which saves a query when the client does not wait. */
  readonly current?: T
  /** How long to wait if the client does not say. Default: not at all. */
  readonly usualWaitS?: number
  look(): Promise<T | undefined>
  isOver(record: T): boolean
}

/** Loads a task or job; with `Prefer: wait`, repeatedly until it has ended or the time is up. */
export async function holdAnswer<T>(
  { waiters }: Pick<Services, 'waiters'>,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, current, usualWaitS, look, isOver }: Holdable<T>,
): Promise<T | undefined> {
  const asked = parseWait(asText(request.headers.prefer))
  const seconds = asked ?? usualWaitS
  if (seconds === undefined) return current ?? look()
  if (asked !== undefined) reply.header('preference-applied', `wait=${asked}`)
  const signal = clientSignal(request, reply)
  return waiters.waitFor({ id, keyId: callerOf(request).keyId, seconds, signal, look, isOver })
}

function asText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header
}
