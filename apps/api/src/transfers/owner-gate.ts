import type { ObjectId } from '@lathe/domain'
import type { TransferSlots } from '@lathe/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { heedLimit } from '../plugins/rate-limit.ts'
import type { Services } from '../services.ts'

/** A request to a form or link. */
export interface Passage<T> {
  readonly taskId: ObjectId
  /** Throws unless the form or link has our signature; runs no query. */
  verify(): void
  /** Loads the form or file. */
  find(): Promise<T>
}

/** Admits requests to forms and links. */
export type OwnerGate = <T extends { readonly ownerId: ObjectId }>(
  request: FastifyRequest,
  reply: FastifyReply,
  passage: Passage<T>,
) => Promise<T>

// When a client that got no slot may try again.
const retryAfterS = 5
// About 100 bytes each; beyond this number the oldest is dropped and looked up again when needed.
const maxKnown = 10_000

/**
 * Counts the use of a form or link for its owner; an invalid one counts for the client's IP address. The owner of a
 * task never changes, so repeated requests that are over the limit or get no slot cost no query.
 */
export function createOwnerGate(parts: Pick<Services, 'limiter' | 'metrics'>, slots: TransferSlots): OwnerGate {
  const owners = new Map<ObjectId, ObjectId>()

  async function admit({ method }: FastifyRequest, reply: FastifyReply, ownerId: ObjectId): Promise<void> {
    heedLimit(parts, reply, 'owner', await parts.limiter.take('owner', ownerId))
    if (method === 'HEAD') return
    reply.header('retry-after', retryAfterS)
    slots.requireRoom(ownerId)
    reply.removeHeader('retry-after')
  }

  function remember(taskId: ObjectId, ownerId: ObjectId): void {
    owners.set(taskId, ownerId)
    const [oldest] = owners.keys()
    if (owners.size > maxKnown && oldest !== undefined) owners.delete(oldest)
  }

  return async (request, reply, { taskId, verify, find }) => {
    const countStranger = async (error: unknown) => {
      heedLimit(parts, reply, 'address', await parts.limiter.take('address', request.ip))
      throw error
    }
    try {
      verify()
    } catch (error) {
      return countStranger(error)
    }
    const known = owners.get(taskId)
    if (known !== undefined) await admit(request, reply, known)
    const found = await find().catch(countStranger)
    if (known === undefined) {
      remember(taskId, found.ownerId)
      await admit(request, reply, found.ownerId)
    }
    return found
  }
}
