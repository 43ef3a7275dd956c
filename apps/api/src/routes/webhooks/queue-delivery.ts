import { toDeliveryView } from '@lathe/contract'
import { type DeliveryRecord, type Executor, findDelivery } from '@lathe/database'
import type { ObjectId } from '@lathe/domain'
import { oncePerKey } from '@lathe/orchestrator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { currentOf, idempotencyOf } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { requireNoBody } from '../../http/body.ts'
import { callerOf } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'

/** Queues a delivery and answers with it; with `Prefer: wait`, after its first attempt. */
export async function queueDelivery(
  services: WebhookServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { webhookId, queue }: { webhookId: ObjectId; queue: (tx: Executor) => Promise<DeliveryRecord> },
): Promise<FastifyReply> {
  const { database } = services
  requireNoBody(request.body)
  const answer = await database.transaction((tx) =>
    oncePerKey(tx, services, callerOf(request), idempotencyOf(request), () => queue(tx)),
  )
  const look = (id: ObjectId) => findDelivery(database.pool, { webhookId, id })
  const current = await currentOf(reply, answer, look)
  const tried = await holdAnswer(services, request, reply, {
    id: current.id,
    current,
    look: () => look(current.id),
    isOver: ({ status, attempts }) => status !== 'pending' || attempts.length > 0,
  })
  return reply.code(201).send(toDeliveryView(tried ?? current))
}
