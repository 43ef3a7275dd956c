import { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import type { QueueConfig } from './config.ts'
import { type Entry, entryId, type QueueName, toBullJob } from './entry.ts'

/** Opens a queue on a fast connection, to add, promote and remove entries. */
export function openQueue(name: QueueName, connection: Redis, { prefix }: QueueConfig): Queue<Entry> {
  const queue = new Queue<Entry>(name, {
    connection,
    prefix,
    // Send nothing before Redis is connected: the commands of a fast connection would fail for good.
    skipWaitingForReady: true,
    skipVersionCheck: true,
    skipMetasUpdate: true,
  })
  // The connection logs its errors itself; an unhandled error event would end the process.
  queue.on('error', () => undefined)
  return queue
}

/** Adds entries. A single entry, the usual case, is one command; several are wrapped in a Redis transaction. */
export async function addEntries(queue: Queue<Entry>, work: readonly { entry: Entry; delayMs: number }[]) {
  const jobs = work.map(toBullJob)
  const [only, ...others] = jobs
  if (only && others.length === 0) await queue.add(only.name, only.data, only.opts)
  else await queue.addBulk(jobs)
}

/** Ends the delay of an entry. Does nothing if the entry is gone or not delayed. */
export async function promoteEntry(queue: Queue<Entry>, entry: Entry): Promise<void> {
  const job = await queue.getJob(entryId(entry))
  if (await job?.isDelayed()) await job?.promote()
}

/** Removes an entry from the queue, unless a worker runs it. */
export async function removeEntry(queue: Queue<Entry>, entry: Entry): Promise<void> {
  await queue.remove(entryId(entry))
}
