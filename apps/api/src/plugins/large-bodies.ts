import { limits } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** In all bodies that are larger than usual. Until its request is answered, a body takes about four times its size. */
const bytesAtOnce = 6 * limits.inlineBodyBytes
const bytesPerOwner = 2 * limits.inlineBodyBytes
// Slow senders must not hold what others need.
const arrivalMs = 60_000

/**
 * Bounds the memory for bodies on routes that take large ones. The declared length counts from the start, because a
 * refusal is of most use to a client that has not sent anything yet.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  const held = new Map<string, number>()
  let total = 0

  app.addHook('preParsing', async (request, reply) => {
    const size = declaredSize(request)
    if (size <= limits.bodyBytes) return
    const owner = request.caller?.ownerId ?? ''
    const own = held.get(owner) ?? 0
    if (own + size > bytesPerOwner || total + size > bytesAtOnce) {
      throw new Problem('rate_limited', {
        msg: 'Too many large requests are being read at the same time. Send them one after another, or upload the files.',
      })
    }
    held.set(owner, own + size)
    total += size
    const { raw } = request
    const timer = setTimeout(() => raw.destroy(), arrivalMs)
    raw.once('end', () => clearTimeout(timer))
    reply.raw.once('close', () => {
      clearTimeout(timer)
      total -= size
      const rest = (held.get(owner) ?? 0) - size
      if (rest > 0) held.set(owner, rest)
      else held.delete(owner)
    })
  })
}

/** The size of a body on a route that takes large ones; 0 on all others, and for bodies that are refused anyway. */
function declaredSize({ headers, routeOptions: { bodyLimit = 0 } }: FastifyRequest): number {
  if (bodyLimit <= limits.bodyBytes) return 0
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  const length = Number(headers['content-length'] ?? 0)
  return length > bodyLimit ? 0 : length
}
