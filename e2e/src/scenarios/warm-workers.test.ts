import { startStack } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { createClient } from '../client.ts'
import { stack as common, completed, importFixture } from '../scenario.ts'

const tasks = 30

describe('an owner with a warm engine', () => {
  it('reuses it: of consecutive tasks, at least nine in ten run on one of two workers', {
    timeout: 240_000,
  }, async () => {
    await using stack = await startStack({ storage: 'disk' })
    await stack.addWorker()
    const { key } = await stack.createKey()
    const api = createClient({ url: stack.url, key, recordFile: common.recordFile })
    const { id } = await importFixture(api, 'photo-40k.jpg')
    for (let i = 0; i < tasks; i += 1) completed(await api.run('convert', { input: id, output_format: 'webp' }))
    const counts = await Promise.all(
      stack.apps('worker').map((worker) => worker.metric('lathe_task_seconds_count', { operation: 'convert' })),
    )
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(tasks)
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(tasks * 0.9)
  })
})
