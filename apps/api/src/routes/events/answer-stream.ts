import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '../../http/bearer.ts'
import type { EventStream } from '../../listening/event-stream.ts'
import { callerOf } from '../../route-config.ts'
import type { Services } from '../../services.ts'

// When somebody with too many streams may try again: one of them will have ended, or none.
const retryAfterS = 10

/** Answers with a stream of events, for as long as the key of who listens is valid and the process runs. */
export async function answerStream(
  { listening, metrics }: Pick<Services, 'listening' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply,
  open: (onStalled: () => void) => EventStream | Promise<EventStream>,
): Promise<FastifyReply> {
  // Closed with the stream: a connection kept for another request would hold up a process that stops.
  reply.type('text/event-stream').headers({ 'x-accel-buffering': 'no', connection: 'close' })
  if (request.method === 'HEAD') return reply.send('')
  const key = bearerOf(request.headers.authorization) ?? ''
  let stream: EventStream | undefined
  let isOver = false
  const end = () => {
    isOver = true
    stream?.end()
  }
  reply.header('retry-after', retryAfterS)
  const leave = listening.enter({ way: 'sse', key, caller: callerOf(request), end })
  reply.removeHeader('retry-after')
  try {
    stream = await open(() => {
      metrics.listenersCut.inc({ way: 'sse', reason: 'stalled' })
      reply.raw.destroy()
    })
  } catch (error) {
    leave()
    throw error
  }
  const { bytes } = stream
  bytes.once('close', leave)
  reply.raw.once('close', () => bytes.destroy())
  // Both may have come while it was opened.
  if (isOver) stream.end()
  if (reply.raw.destroyed) bytes.destroy()
  return reply.send(bytes)
}
