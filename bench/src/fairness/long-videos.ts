import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '@lathe/testing'
import { createClient } from '../parts/client.ts'
import { inLanes } from '../parts/lanes.ts'
import { atMost, figure, type Measure, say } from '../parts/measure.ts'
import { imageTimes, p95 } from './image-times.ts'
import type { FairnessSizes } from './sizes.ts'
import { sayTimes, watchTimes } from './where-time-goes.ts'

const goal = 1.3
const warmCalls = 10
const untilRunningMs = 120_000

interface Files {
  readonly image: string
  readonly video: string
}

/** An image of one tenant, alone and while another tenant has all its long videos queued. */
export async function measureLongVideos(
  stack: Stack,
  files: Files,
  { videos, samples }: FairnessSizes,
): Promise<readonly Measure[]> {
  const [busy, other] = [await stack.createKey({ slots: 10 }), await stack.createKey({ slots: 10 })]
  const [filming, looking] = [createClient(stack.url, busy.key), createClient(stack.url, other.key)]
  const image = await looking.upload(files.image)
  await imageTimes(looking, image, { samples: warmCalls })
  const timesAlone = await watchTimes(stack, other.ownerId)
  const alone = p95(await imageTimes(looking, image, { samples }))
  sayTimes('alone', await timesAlone())
  const video = await filming.upload(files.video)
  await inLanes(videos, 8, async () => void (await filming.convertTo(video, 'mp4', {})))
  await untilRunning(stack, busy.ownerId)
  const timesBeside = await watchTimes(stack, other.ownerId)
  const beside = p95(await imageTimes(looking, image, { samples }))
  sayTimes('beside videos', await timesBeside())
  const running = await countOf(stack, busy.ownerId, `status = 'processing' and worker_id is not null`)
  const left = await countOf(stack, busy.ownerId, `status in ('created', 'processing')`)
  say(`images: p95 ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms with ${running} videos running of ${left}`)
  if (left === 0) throw new Error('all videos ended before the images: make them longer or more')
  return [
    figure('fairness_image_alone_p95', alone, 'ms'),
    figure('fairness_image_beside_videos_p95', beside, 'ms'),
    atMost('fairness_image_beside_videos', beside / alone, 'ratio', goal),
  ]
}

async function untilRunning(stack: Stack, ownerId: string): Promise<void> {
  for (const limit = Date.now() + untilRunningMs; ; await pause(200)) {
    const running = await countOf(stack, ownerId, `status = 'processing' and worker_id is not null and lane = 'long'`)
    // The first video of each worker stays where it was claimed; the next ones are moved to the queue for long tasks.
    const all = await countOf(stack, ownerId, `status = 'processing' and worker_id is not null`)
    if (running + all >= 2) return
    if (Date.now() > limit) throw new Error('no video runs')
  }
}

async function countOf({ database }: Stack, ownerId: string, condition: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from tasks where owner_id = $1 and operation = 'convert' and ${condition}`,
    [`\\x${ownerId}`],
  )
  return rows[0]?.count ?? 0
}
