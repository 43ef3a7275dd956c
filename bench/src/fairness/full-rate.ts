import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '@lathe/testing'
import { createClient } from '../parts/client.ts'
import { atMost, figure, type Measure, say } from '../parts/measure.ts'
import { imageTimes, p95 } from './image-times.ts'
import type { FairnessSizes } from './sizes.ts'
import { sayTimes, watchTimes } from './where-time-goes.ts'

const goal = 1.3
const warmCalls = 10
/** Requests per minute that a key may send by default. */
const requestsPerMinute = 300
// Below the rate limit of a key, so that the measured tenant is never refused.
const everyMs = 250

/** An image of one tenant, alone and while another tenant sends as many requests as allowed. */
export async function measureFullRate(
  stack: Stack,
  image: string,
  { samples }: FairnessSizes,
): Promise<readonly Measure[]> {
  const [loud, quiet] = [await stack.createKey({ slots: 10 }), await stack.createKey({ slots: 10 })]
  const [sending, looking] = [createClient(stack.url, loud.key), createClient(stack.url, quiet.key)]
  const [input, own] = [await sending.upload(image), await looking.upload(image)]
  await imageTimes(looking, own, { samples: warmCalls, everyMs })
  const timesAlone = await watchTimes(stack, quiet.ownerId)
  const alone = p95(await imageTimes(looking, own, { samples, everyMs }))
  sayTimes('alone', await timesAlone())
  const timesBeside = await watchTimes(stack, quiet.ownerId)
  const sender = startSending(() => sending.convert(input))
  const beside = p95(await imageTimes(looking, own, { samples, everyMs }))
  sayTimes('beside the full rate', await timesBeside())
  const { sent, refused } = await sender.stop()
  say(`images: p95 ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside ${sent} requests, ${refused} refused`)
  return [
    figure('fairness_quiet_alone_p95', alone, 'ms'),
    figure('fairness_quiet_beside_full_rate_p95', beside, 'ms'),
    atMost('fairness_quiet_beside_full_rate', beside / alone, 'ratio', goal),
  ]
}

/** Sends at the full rate, regardless of the responses and their duration. */
function startSending(send: () => Promise<unknown>) {
  const stopping = new AbortController()
  const answers: Promise<boolean>[] = []
  async function sendOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      answers.push(
        send().then(
          () => true,
          () => false,
        ),
      )
      await pause(60_000 / requestsPerMinute, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const sending = sendOn()
  return {
    async stop() {
      stopping.abort()
      await sending
      const taken = await Promise.all(answers)
      return { sent: taken.length, refused: taken.filter((isTaken) => !isTaken).length }
    },
  }
}
