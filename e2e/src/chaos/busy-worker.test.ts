import { startStack } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createClient } from './support/client.ts'
import { noisePicture } from './support/noise-picture.ts'
import { untilSettled } from './support/record.ts'
import { slowSize } from './support/slow-task.ts'
import { workerOf } from './support/workers.ts'

const rounds = 4

it('R6: converts two images within 5 s although one of two workers is busy with a long task', async () => {
  await using stack = await startStack({ workers: 2, appEnv: { worker: { WORKER_CONCURRENCY: '1' } } })
  const [busy, other] = [await stack.createKey(), await stack.createKey()]
  const client = createClient(stack.url, busy.key)
  const upload = await client.upload(noisePicture(slowSize.width, slowSize.height), 'noise.png')
  const long = await client.create('convert', { input: upload.id, output_format: 'avif', options: { effort: 7 } })
  await workerOf(stack, long.id)

  const quick = createClient(stack.url, other.key)
  const image = await quick.upload(noisePicture(48, 48), 'small.png')
  const convert = () => quick.create('convert', { input: image.id, output_format: 'webp' })
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await Promise.all([convert(), convert()])
    await untilSettled(stack, other.ownerId, 30_000)
    const tookMs = Math.round(performance.now() - startedAt)
    console.log(`two images took ${tookMs} ms`)
    expect(tookMs).toBeLessThan(5_000)
  }
  expect((await client.task(long.id)).status).toBe('processing')
})
