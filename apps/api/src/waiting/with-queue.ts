import type { TaskFacts } from '@lathe/contract'
import type { QueueLook } from './queue-look.ts'

/** Tasks with where those of them that wait stand; nothing is asked where none waits. */
export async function withQueue(look: QueueLook, tasks: readonly TaskFacts[]): Promise<readonly TaskFacts[]> {
  const waiting = tasks.filter(({ status }) => status === 'created')
  const places = await look.read(waiting.map(({ id }) => id))
  return tasks.map((task) => ({ ...task, queue: places.get(task.id) ?? null }))
}
