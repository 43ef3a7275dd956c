import { type ObjectId, Problem } from '@lathe/domain'
import { createTransferSlots, type EndCause, type Transfer } from '@lathe/runtime'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import { createOwnerGate, type OwnerGate } from './owner-gate.ts'
import { uploadLimits } from './transfer-limits.ts'

type Parts = Pick<Services, 'http' | 'metrics' | 'limiter'>

/** A request that may send its file. */
export interface AdmittedUpload {
  /** Aborted when the sender has gone, or was too slow. */
  readonly signal: AbortSignal
  release(): void
}

/** Admits all uploads of this process, by form or resumable. */
export interface UploadEntry {
  readonly pass: OwnerGate
  /** Waits for a slot. */
  enter(request: FastifyRequest, reply: FastifyReply, form: Form): Promise<AdmittedUpload>
}

interface Form {
  readonly id: ObjectId
  readonly ownerId: ObjectId
}

// When a client that got no slot, or a form in use, may try again.
const retryAfterS = 5

export function createUploadEntry(parts: Parts): UploadEntry {
  const { uploads, admissionsRefused } = parts.metrics
  const slots = createTransferSlots(
    uploadLimits(parts.http),
    (size) => uploads.set(size),
    () => admissionsRefused.inc({ reason: 'uploads' }),
  )
  return {
    pass: createOwnerGate(parts, slots),
    async enter(request, reply, form) {
      const over = new AbortController()
      const breakOff = () => over.abort(new Problem('invalid_request', { msg: 'The upload broke off.' }))
      reply.raw.once('close', breakOff)
      // A connection that has already closed emits no more events.
      if (request.raw.socket.destroyed) breakOff()
      reply.header('retry-after', retryAfterS)
      const release = await slots.enter(toTransfer(request, form, over), over.signal)
      reply.removeHeader('retry-after')
      // The remaining work is short, and the sender may reconnect before it is done.
      over.signal.addEventListener('abort', release)
      return { signal: over.signal, release }
    },
  }
}

function toTransfer({ raw }: FastifyRequest, { id, ownerId }: Form, over: AbortController): Transfer {
  return {
    ownerId,
    item: id,
    moved: () => raw.socket.bytesRead,
    // Once the whole body was received, only the store is slow.
    isHeldUp: () => raw.complete || raw.readableLength > 0,
    end: (cause) => over.abort(new Problem('upload_too_slow', { msg: endings[cause] })),
  }
}

const endings: Readonly<Record<EndCause, string>> = {
  too_slow: 'The file arrived too slowly. Send it again over a faster connection.',
  too_long: 'The upload took longer than the service allows. Send a smaller file, or over a faster connection.',
  gave_way: 'The service has no free slots for uploads, and this one was the slowest. Send the file again later.',
}
