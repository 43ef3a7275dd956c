import {
  countExhausted,
  type DeliveryAttempt,
  type DisabledReason,
  deleteJobWebhook,
  disableWebhook,
  type Executor,
  failPending,
  forgetExhausted,
  insertDelivery,
  recordTry,
  type TryEnd,
  type WebhookRecord,
} from '@lathe/database'
import { disabledType, pingType } from './deliveries.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { Verdict } from './judge-try.ts'
import type { ReadyDelivery } from './take-due.ts'

/** A webhook is disabled after this many deliveries in a row for which every attempt failed. */
export const exhaustedAtMost = 10

/** Ends a delivery that cannot be sent any more. */
export async function recordEnd(parts: DeliveryParts, delivery: ReadyDelivery, reason: string): Promise<void> {
  const { id, lease } = delivery
  const endedAt = parts.clock.now()
  const end = { id, lease, attempt: undefined, body: null, status: 'failed', reason, dueAt: null, endedAt } as const
  await recordTry(parts.database.pool, end)
}

interface Judged {
  readonly webhook: WebhookRecord
  readonly attempt: DeliveryAttempt
  readonly verdict: Verdict
}

/** Records an attempt and what it means for the webhook, in one transaction. */
export async function recordVerdict(
  parts: DeliveryParts,
  delivery: ReadyDelivery,
  { webhook, attempt, verdict }: Judged,
): Promise<void> {
  const { id, lease, body } = delivery
  const now = parts.clock.now()
  await parts.database.transaction(async (tx) => {
    const held = await recordTry(tx, { id, lease, attempt, body, ...toEnd(verdict, now) })
    // If another process has claimed the delivery meanwhile, that process decides what follows.
    if (held) await drawConclusions(tx, parts, delivery, { webhook, verdict, now })
  })
}

function toEnd(verdict: Verdict, now: Date): Pick<TryEnd, 'status' | 'reason' | 'dueAt' | 'endedAt'> {
  switch (verdict.kind) {
    case 'delivered':
      return { status: 'delivered', reason: null, dueAt: null, endedAt: now }
    case 'again':
      return { status: 'pending', reason: null, dueAt: verdict.at, endedAt: null }
    case 'gone':
      return {
        status: 'failed',
        reason: 'The receiver answered 410: it wants nothing more.',
        dueAt: null,
        endedAt: now,
      }
    case 'exhausted':
      return { status: 'failed', reason: 'Every try failed.', dueAt: null, endedAt: now }
  }
}

interface Conclusion {
  readonly webhook: WebhookRecord
  readonly verdict: Verdict
  readonly now: Date
}

async function drawConclusions(
  tx: Executor,
  parts: DeliveryParts,
  delivery: ReadyDelivery,
  { webhook, verdict, now }: Conclusion,
): Promise<void> {
  // Each job has its own URL: a response from one says nothing about the others.
  if (webhook.kind === 'jobs') {
    if (verdict.kind === 'gone' && delivery.subjectId) await leaveJob(tx, webhook.id, delivery.subjectId, now)
    return
  }
  if (verdict.kind === 'delivered') await forgetExhausted(tx, webhook.id)
  if (verdict.kind === 'gone') await turnOff(tx, parts, { webhook, reason: 'gone', now })
  if (verdict.kind !== 'exhausted' || delivery.type === pingType) return
  const inRow = await countExhausted(tx, webhook.id)
  if (inRow >= exhaustedAtMost) await turnOff(tx, parts, { webhook, reason: 'failing', now })
}

async function leaveJob(tx: Executor, webhookId: string, subjectId: string, now: Date): Promise<void> {
  await deleteJobWebhook(tx, subjectId)
  await failPending(tx, { webhookId, subjectId, reason: 'The receiver of this job answered 410.', now })
}

const disabledWords: Readonly<Record<DisabledReason, string>> = {
  gone: 'The webhook was disabled: its address answered 410.',
  failing: `The webhook was disabled: every try of ${exhaustedAtMost} deliveries in a row failed.`,
}

async function turnOff(
  tx: Executor,
  { ids }: DeliveryParts,
  { webhook, reason, now }: { webhook: WebhookRecord; reason: DisabledReason; now: Date },
): Promise<void> {
  const { id: webhookId, ownerId } = webhook
  if (!(await disableWebhook(tx, { id: webhookId, reason, now }))) return
  const failedFor = disabledWords[reason]
  await failPending(tx, { webhookId, reason: failedFor, now })
  const body = JSON.stringify({ type: disabledType, data: { webhook: webhookId, reason } })
  const [id, eventId] = [ids.next(now), ids.next(now)]
  await insertDelivery(tx, { id, webhookId, ownerId, eventId, type: disabledType, body, now, failedFor })
}
