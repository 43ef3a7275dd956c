import { Problem } from '@lathe/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Aborted when the connection closes before the client has its answer. */
export function clientSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (reply.raw.writableEnded) return
    gone.abort(new Problem('invalid_request', { msg: 'The client closed the connection.' }))
  }
  reply.raw.once('close', leave)
  // A connection that has already closed emits no more events.
  if (request.raw.socket.destroyed) leave()
  return gone.signal
}
