import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@lathe/testing'
import sharp from 'sharp'
import type { Measure } from '../parts/measure.ts'
import { runBare } from '../video/bare-ffmpeg.ts'
import { recordings } from '../video/recordings.ts'
import { measureFullRate } from './full-rate.ts'
import { measureLongVideos } from './long-videos.ts'
import { measureManyTenants } from './many-tenants.ts'
import { sizesOf } from './sizes.ts'

/** Whether tenants affect each other, on a whole stack with two workers. */
export async function benchFairness(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[],
  isQuick: boolean,
  given: Readonly<Record<string, number>> = {},
): Promise<void> {
  const sizes = sizesOf(isQuick, given)
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const image = await makeImage(folder)
  const parts: Readonly<Record<string, (stack: Stack) => Promise<readonly Measure[]>>> = {
    rate: (stack) => measureFullRate(stack, image, sizes),
    tenants: (stack) => measureManyTenants(stack, image, sizes),
    videos: async (stack) => {
      const video = await makeVideo(folder, sizes.seconds)
      return measureLongVideos(stack, { image, video }, sizes)
    },
  }
  for (const [name, measure] of Object.entries(parts)) {
    if (only.length > 0 && !only.includes(name)) continue
    // One stack per measurement: leftovers in the queues would slow down the next one.
    await using stack = await startStack({ workers: 2 })
    report(await measure(stack))
  }
}

/** An image of a common size, which takes an engine some tens of milliseconds. */
async function makeImage(folder: string): Promise<string> {
  const path = join(folder, 'image.jpg')
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  await sharp({ create: { width: 1600, height: 1200, channels: 3, noise, background: 'white' } })
    .jpeg()
    .toFile(path)
  return path
}

async function makeVideo(folder: string, seconds: number): Promise<string> {
  const [recording] = recordings
  if (!recording) throw new Error('there is no recording')
  const file = `long.${recording.from}`
  await runBare(folder, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...recording.make(seconds), file])
  return join(folder, file)
}
