import type { TaskFacts } from '@lathe/contract'
import type { QueueLook } from './queue-look.ts'

/** Adds queue positions to waiting tasks; runs no query if none waits. */
export async function withQueue(look: QueueLook, tasks: readonly TaskFacts[]): Promise<readonly TaskFacts[]> {
  const waiting = tasks.filter(({ status }) => status === 'created')
  const places = await look.read(waiting.map(({ id }) => id))
  return tasks.map((task) => ({ ...task, queue: places.get(task.id) ?? null }))
}
