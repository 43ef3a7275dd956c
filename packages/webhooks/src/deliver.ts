import { findTraceParent } from '@lathe/database'
import { type Failure, failure, isFailure } from '@lathe/domain'
import type { SentAnswer } from '@lathe/outbound'
import { noSpan, type Span } from '@lathe/runtime'
import { pingType } from './deliveries.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import { describeAttempt } from './describe-attempt.ts'
import { findTarget } from './find-target.ts'
import { judgeTry } from './judge-try.ts'
import { recordEnd, recordVerdict } from './record.ts'
import { signedHeaders } from './sign.ts'
import type { ReadyDelivery } from './take-due.ts'

/** Attempts one delivery and records the result. Rejects if the signal aborts: then nothing was recorded. */
export async function deliver(parts: DeliveryParts, delivery: ReadyDelivery, signal: AbortSignal): Promise<void> {
  const { clock, chance = Math.random } = parts
  const target = await findTarget(parts, delivery)
  if (target.kind === 'never') return recordEnd(parts, delivery, target.reason)
  const at = clock.now()
  const started = performance.now()
  const span = await traceDelivery(parts, delivery)
  const outcome =
    target.kind === 'target'
      ? await send(parts, delivery, { ...target, at, signal })
      : failure('secrets_unreadable', { text: target.reason })
  span.end(isFailure(outcome) ? outcome.code : undefined)
  const tookMs = Math.round(performance.now() - started)
  const attempt = describeAttempt({ outcome, at, tookMs, timeoutMs: parts.limits.timeoutMs })
  const once = delivery.type === pingType
  const verdict = judgeTry({ outcome, tries: delivery.tries, once, now: clock.now(), chance: chance() })
  parts.metrics.webhookTries.inc({ outcome: verdict.kind })
  await recordVerdict(parts, delivery, { webhook: target.webhook, attempt, verdict })
}

/** An attempt belongs to the trace of the task that it reports. */
async function traceDelivery({ traces, database, log }: DeliveryParts, delivery: ReadyDelivery): Promise<Span> {
  if (!traces?.isOn) return noSpan
  const { taskId, subjectId: jobId, type, tries } = delivery
  const traceParent = await findTraceParent(database.pool, { taskId, jobId }).catch((err: unknown) => {
    log.debug({ err }, 'trace of the webhook delivery not read')
    return null
  })
  const attributes = { 'lathe.event': type, 'lathe.try': tries + 1 }
  return traces.resume(traceParent, 'webhook', { kind: 'client', attributes })
}

interface Sending {
  readonly url: string
  readonly secrets: readonly string[]
  readonly at: Date
  readonly signal: AbortSignal
}

async function send(
  { outbound, allowHttp, limits }: DeliveryParts,
  { eventId, body }: ReadyDelivery,
  { url, secrets, at, signal }: Sending,
): Promise<SentAnswer | Failure> {
  // The operator may have changed the setting since the webhook was created.
  if (!allowHttp && URL.parse(url)?.protocol !== 'https:') return failure('url_forbidden')
  const headers = { 'content-type': 'application/json', ...signedHeaders({ id: eventId, at, body }, secrets) }
  const answer = await outbound.send(url, { headers, body, signal, timeoutMs: limits.timeoutMs })
  if (isFailure(answer)) signal.throwIfAborted()
  return answer
}
