import { limits } from '../../../packages/contract/src/limits.ts'
import { maxBodyBytes } from '../../../packages/contract/src/views/to-webhook-body.ts'
import { keptBytes } from '../../../packages/outbound/src/send.ts'
import { defaultDeliveryLimits } from '../../../packages/webhooks/src/delivery-parts.ts'
import { exhaustedAtMost } from '../../../packages/webhooks/src/record.ts'
import { tryDelaysMs } from '../../../packages/webhooks/src/schedule.ts'
import { bytes, count, type Limit, type LimitGroup, seconds, unmeasured } from './limit.ts'

function row(name: string, value: Limit['value'], beyond: string): Limit {
  return { id: 'L-webhooks', name, value, beyond, real: unmeasured.request }
}

/** Limits of webhooks and their deliveries. */
export const webhooks: LimitGroup = {
  title: 'Webhooks',
  limits: [
    row('Webhooks of a user', count(limits.webhooksPerOwner), 'The request is refused. Delete a webhook first.'),
    row(
      'Deliveries of one user under way at once',
      count(defaultDeliveryLimits.perOwner),
      'Other deliveries wait. Answer quickly and do the work afterwards.',
    ),
    row(
      'Time for a receiver to answer',
      seconds(defaultDeliveryLimits.timeoutMs / 1000),
      'The try has failed, and the next one follows.',
    ),
    row(
      'Tries of a delivery, over 75 hours',
      count(tryDelaysMs.length),
      'The delivery has failed. Read the events you missed with the API.',
    ),
    row(
      'Deliveries in a row that fail in every try',
      count(exhaustedAtMost),
      'The webhook is disabled. Enable it again when the receiver works.',
    ),
    row('Bytes kept of a receiver’s answer', bytes(keptBytes), 'The log shows the beginning of the answer.'),
    row(
      'Size of a delivery’s body, below',
      bytes(maxBodyBytes),
      'The body holds ids and links only. Get the task or job with the API.',
    ),
  ],
}
