import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@lathe/testing'
import { fixturePath, makeLargePhoto } from '../../../fixtures/fixtures.ts'
import { type Client, createClient } from '../parts/client.ts'
import { inLanes, rateOf } from '../parts/lanes.ts'
import { atLeast, figure, type Measure, median, say } from '../parts/measure.ts'
import { serviceRate } from '../service/throughput.ts'
import { bareMagick } from './bare-magick.ts'
import { type ImageCase, imageCases } from './cases.ts'

/** The goal compared with one ImageMagick process per file, on the same cores. That for sharp depends on the case. */
const magickGoal = 2

interface Amount {
  readonly tasks: number
  readonly rounds: number
}

const amounts: Readonly<Record<ImageCase['photo'], Amount>> = {
  small: { tasks: 200, rounds: 3 },
  large: { tasks: 24, rounds: 3 },
}
const quick: Amount = { tasks: 6, rounds: 1 }

/**
 * Converts many images through the whole service with warm runners, compared with plain sharp and plain ImageMagick in
 * the same run.
 */
export async function benchImages(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[] = [],
  isQuick = false,
): Promise<void> {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const stack = own.use(await startStack({ env: { DATABASE_CONNECTIONS: '16', WORKER_CONCURRENCY: '0' } }))
  const client = createClient(stack.url, (await stack.createKey({ slots: 16 })).key)
  const paths = { small: fixturePath('photo-40k.jpg'), large: await makeLargePhoto(folder) }
  for (const one of imageCases.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const path = paths[one.photo]
    const amount = isQuick ? quick : amounts[one.photo]
    report(await measureCase({ client, folder, path, ...amount }, one))
  }
}

interface Setting extends Amount {
  readonly client: Client
  readonly folder: string
  readonly path: string
}

async function measureCase(setting: Setting, one: ImageCase): Promise<readonly Measure[]> {
  const { client, folder, path, tasks, rounds } = setting
  const cores = availableParallelism()
  const inputs: string[] = []
  await inLanes(4, 2, async () => void inputs.push(await client.upload(path)))
  const output = (i: number, by: string) => join(folder, `${by}-${i % cores}.${one.to}`)
  const bySharp = (count: number) =>
    rateOf(count, cores, async (i) => void (await one.bySharp(path, output(i, 'sharp'))))
  const byMagick = (count: number) => rateOf(count, cores, (i) => bareMagick(path, output(i, 'magick'), one.byMagick))
  const byService = (count: number) =>
    serviceRate(client, inputs, count, (input) => client.convertTo(input, one.to, one.options))
  // The first files warm the runners and the page cache.
  for (const rate of [bySharp, byMagick, byService]) await rate(cores * 2)
  const rates = { sharp: [] as number[], magick: [] as number[], service: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.sharp.push(await bySharp(tasks))
    rates.service.push(await byService(tasks))
    // One process per file is slow; a third of the files is enough to measure the rate.
    rates.magick.push(await byMagick(Math.max(cores, Math.ceil(tasks / 3))))
    const [sharp, service, magick] = [rates.sharp, rates.service, rates.magick].map((all) => all.at(-1)?.toFixed(2))
    say(`${one.name}, round ${round + 1} of ${rounds}: ${service}/s, sharp ${sharp}/s, magick ${magick}/s`)
  }
  return results(one, { sharp: median(rates.sharp), magick: median(rates.magick), service: median(rates.service) })
}

function results(
  { name, sharpGoal }: ImageCase,
  { sharp, magick, service }: Record<'sharp' | 'magick' | 'service', number>,
): readonly Measure[] {
  return [
    figure(`${name}_sharp`, sharp, 'files/s'),
    figure(`${name}_magick`, magick, 'files/s'),
    figure(`${name}_service`, service, 'tasks/s'),
    atLeast(`${name}_to_sharp`, service / sharp, 'ratio', sharpGoal),
    atLeast(`${name}_to_magick`, service / magick, 'ratio', magickGoal),
  ]
}
