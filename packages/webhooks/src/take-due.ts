import { type EventRef, toWebhookBody } from '@lathe/contract'
import {
  type ClaimedDelivery,
  type EventRecord,
  findDue,
  findOwnersDue,
  leaseDeliveries,
  lockClaims,
} from '@lathe/database'
import type { ObjectId, StoredEventType } from '@lathe/domain'
import { renderEvents } from '@lathe/events'
import type { DeliveryParts } from './delivery-parts.ts'

/** A claimed delivery with its body. */
export type ReadyDelivery = ClaimedDelivery & { readonly body: string }

/** Owners per round. */
const ownersAtOnce = 500

/** Where the next round over the owners starts: after the last owner of this one, so that every owner gets a turn. */
export interface Round {
  after: ObjectId
}

/** Claims up to `limit` deliveries that are due, from as many owners as possible. */
export async function takeDue(parts: DeliveryParts, round: Round, limit: number): Promise<readonly ReadyDelivery[]> {
  const { database, clock, ids, limits } = parts
  const now = clock.now()
  const owners = await findOwnersDue(database.pool, { after: round.after, now, limit: ownersAtOnce })
  round.after = owners.length < ownersAtOnce ? '' : (owners.at(-1) ?? '')
  if (owners.length === 0) return []
  const claimed = await database.transaction(async (tx) => {
    const mine = await lockClaims(tx, owners)
    const due = await findDue(tx, { owners: mine, now, perOwner: limits.perOwner, limit })
    if (due.length === 0) return []
    return leaseDeliveries(tx, { ids: due, lease: ids.next(), until: new Date(now.getTime() + limits.leaseMs) })
  })
  return withBodies(parts, claimed)
}

/** The body is created for the first attempt; later attempts send the same one. */
async function withBodies(
  parts: DeliveryParts,
  claimed: readonly ClaimedDelivery[],
): Promise<readonly ReadyDelivery[]> {
  const fresh = claimed.filter(({ body }) => body === null).map(toEventRecord)
  const reported = await renderEvents(parts, fresh)
  return claimed.map((delivery) => {
    const { body, eventId } = delivery
    return { ...delivery, body: body ?? toWebhookBody(reported.get(eventId), toEventRecord(delivery), parts.publicUrl) }
  })
}

// Deliveries that are not about a job or task are queued with their body, so only events of the log come here.
function toEventRecord({ eventId, type, subjectId, seq, taskId, eventAt }: ClaimedDelivery): EventRecord & EventRef {
  return {
    id: eventId,
    type: type as StoredEventType,
    createdAt: eventAt,
    seq: seq ?? 0,
    subjectId: subjectId ?? '',
    taskId,
  }
}
