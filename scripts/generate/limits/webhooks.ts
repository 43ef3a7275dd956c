import { limits } from '../../../packages/contract/src/limits.ts'
import { maxBodyBytes } from '../../../packages/contract/src/views/to-webhook-body.ts'
import { keptBytes } from '../../../packages/outbound/src/send.ts'
import { defaultDeliveryLimits } from '../../../packages/webhooks/src/delivery-parts.ts'
import { exhaustedAtMost } from '../../../packages/webhooks/src/record.ts'
import { tryDelaysMs } from '../../../packages/webhooks/src/schedule.ts'
import { bytes, count, type Limit, type LimitGroup, seconds, unmeasured } from './limit.ts'

const scheduler = 'apps/scheduler/src/webhooks'

function row(name: string, value: Limit['value'], beyond: string, test?: string): Limit {
  return { id: 'L-webhooks', name, value, beyond, tests: test ? [test] : [], real: unmeasured.request }
}

/** Limits of webhooks and their deliveries. */
export const webhooks: LimitGroup = {
  title: 'Webhooks',
  limits: [
    row(
      'Webhooks of a user',
      count(limits.webhooksPerOwner),
      'The request is refused. Delete a webhook first.',
      'apps/api/src/routes/webhooks/webhooks.int.test.ts: a webhook > is one of at most 20',
    ),
    row(
      'Deliveries of one user under way at once',
      count(defaultDeliveryLimits.perOwner),
      'Other deliveries wait. Answer quickly and do the work afterwards.',
      `${scheduler}/fairness.int.test.ts: many deliveries > of one owner run four at a time over all processes, and delay nobody else`,
    ),
    row(
      'Time for a receiver to answer',
      seconds(defaultDeliveryLimits.timeoutMs / 1000),
      'The try has failed, and the next one follows.',
      `${scheduler}/schedule.int.test.ts: a receiver that answers > too late, or not at all, has failed, and the log says which`,
    ),
    row(
      'Tries of a delivery, over 75 hours',
      count(tryDelaysMs.length),
      'The delivery has failed. Read the events you missed with the API.',
      `${scheduler}/schedule.int.test.ts: a receiver that fails > is tried ten times over 75 hours, at the times of the schedule and not before, which the log shows`,
    ),
    row(
      'Deliveries in a row that fail in every try',
      count(exhaustedAtMost),
      'The webhook is disabled. Enable it again when the receiver works.',
      `${scheduler}/schedule.int.test.ts: a receiver that fails > is disabled after ten deliveries in a row of which every try failed, and can be enabled again`,
    ),
    row(
      'Bytes kept of a receiver’s answer',
      bytes(keptBytes),
      'The log shows the beginning of the answer.',
      `${scheduler}/deliver.int.test.ts: a delivery > keeps 4 KiB of an answer of 10 MiB, and an answer with NUL in it`,
    ),
    row(
      'Size of a delivery’s body, below',
      bytes(maxBodyBytes),
      'The body holds ids and links only. Get the task or job with the API.',
      `${scheduler}/deliver.int.test.ts: a delivery > larger than 20 kB contains ids and links instead`,
    ),
  ],
}
