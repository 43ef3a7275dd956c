import { startStack } from '@lathe/testing'
import { expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { stack as common, completed, importFixture } from '../scenario.ts'

it('workers of different families share the work: each task runs on one that serves it', {
  timeout: 240_000,
}, async () => {
  await using stack = await startStack({ storage: 'disk', workers: 0 })
  const workers = {
    image: await stack.addWorker({ env: { WORKER_FAMILIES: 'image' } }),
    pdf: await stack.addWorker({ env: { WORKER_FAMILIES: 'pdf,ocr' } }),
  }
  const { key } = await stack.createKey()
  const api = createClient({ url: stack.url, key, recordFile: common.recordFile })
  const [photo, pages] = await Promise.all([importFixture(api, 'photo-40k.jpg'), importFixture(api, 'two-pages.pdf')])
  const ended = await Promise.all(
    Array.from({ length: 6 }, () => [
      api.run('convert', { input: photo.id, output_format: 'webp' }),
      api.run('convert', { input: pages.id, output_format: 'png' }),
    ]).flat(),
  )
  for (const task of ended) completed(task)
  const done = (name: keyof typeof workers) =>
    workers[name].metric('lathe_task_seconds_count', { operation: 'convert' })
  expect([await done('image'), await done('pdf')]).toEqual([6, 6])
  const givenBack = await Promise.all(
    Object.values(workers).map((worker) => worker.metric('lathe_given_back_total', { reason: 'engine_not_here' })),
  )
  expect(givenBack).toEqual([0, 0])
})
