import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf } from '../../http/headers.ts'
import type { EventStream } from '../../listening/event-stream.ts'
import { callerOf } from '../../route-config.ts'
import type { Services } from '../../services.ts'

// When a client with too many streams may try again.
const retryAfterS = 10

/** Answers with a stream of events, until the key becomes invalid or the process stops. */
export async function answerStream(
  { listening, metrics }: Pick<Services, 'listening' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply,
  open: (onStalled: () => void) => EventStream | Promise<EventStream>,
): Promise<FastifyReply> {
  // A kept-alive connection would delay a process that stops.
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
  const leave = listening.enter({ way: 'sse', key, caller: callerOf(request), address: request.ip, end })
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
  // Both may have happened while the stream was opened.
  if (isOver) stream.end()
  if (reply.raw.destroyed) bytes.destroy()
  return reply.send(bytes)
}
