import type { QueueConfig } from '@lathe/queue'
import { Queue, Worker } from 'bullmq'
import { inLanes } from '../parts/lanes.ts'

const entries = 2_000
const width = 48

/** Entries per second that BullMQ adds, delivers and removes, one add per call, with no work for each. */
export async function bareQueueRate({ url, prefix }: QueueConfig): Promise<number> {
  const connection = { url }
  const options = { connection, prefix: `${prefix}-bare` }
  const queue = new Queue('no-op', options)
  const all = Promise.withResolvers<void>()
  let done = 0
  const work = async () => {
    done += 1
    if (done === entries) all.resolve()
  }
  const worker = new Worker('no-op', work, { ...options, concurrency: width, removeOnComplete: { count: 0 } })
  try {
    await worker.waitUntilReady()
    const startedAt = performance.now()
    await inLanes(entries, width, async (i) => void (await queue.add('task', { i }, { removeOnComplete: true })))
    await all.promise
    return (entries * 1000) / (performance.now() - startedAt)
  } finally {
    await worker.close()
    await queue.obliterate({ force: true })
    await queue.close()
  }
}
