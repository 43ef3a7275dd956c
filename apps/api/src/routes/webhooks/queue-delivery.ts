import { toDeliveryView } from '@lathe/contract'
import { type DeliveryRecord, type Executor, findDelivery } from '@lathe/database'
import { oncePerKey } from '@lathe/orchestrator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { idempotencyOf, sendReplay } from '../../creation.ts'
import { holdAnswer } from '../../hold-answer.ts'
import { requireNoBody } from '../../http/no-body.ts'
import { callerOf } from '../../route-config.ts'
import type { WebhookServices } from './answers.ts'

/** Queues a delivery and answers with it; with `Prefer: wait`, once it was tried. */
export async function queueDelivery(
  services: WebhookServices,
  request: FastifyRequest,
  reply: FastifyReply,
  queue: (tx: Executor) => Promise<DeliveryRecord>,
): Promise<FastifyReply> {
  const { database } = services
  requireNoBody(request.body)
  const body = (delivery: DeliveryRecord) => ({ status: 201, body: toDeliveryView(delivery) })
  const idempotency = idempotencyOf<DeliveryRecord>(request, body)
  const answer = await database.transaction((tx) =>
    oncePerKey(tx, services, callerOf(request), idempotency, () => queue(tx)),
  )
  if (answer.kind === 'replayed') return sendReplay(reply, answer)
  const { id, webhookId } = answer.record
  const tried = await holdAnswer(services, request, reply, {
    id,
    current: answer.record,
    look: () => findDelivery(database.pool, { webhookId, id }),
    isOver: ({ status, attempts }) => status !== 'pending' || attempts.length > 0,
  })
  return reply.code(201).send(toDeliveryView(tried ?? answer.record))
}
