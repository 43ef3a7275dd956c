import type { Stack } from '@lathe/testing'

/** Open tasks, tasks that did not end exactly once, and slots that were not released. */
export async function findEndFaults({ database }: Stack): Promise<string[]> {
  const { rows: tasks } = await database.pool.query<{ id: string; status: string; ends: number }>(
    `select t.id, t.status, count(e.seq)::int as ends
       from tasks t left join events e on e.task_id = t.id
        and e.type in ('task.completed', 'task.failed', 'task.canceled')
      group by t.id, t.status having t.status in ('created', 'processing') or count(e.seq) <> 1`,
  )
  const { rows: owners } = await database.pool.query<{ slots: number; backlog: number }>(
    `select slots_used as slots, backlog from owners where slots_used <> 0 or backlog <> 0`,
  )
  return [
    ...tasks.map(({ id, status, ends }) => `task ${id} is ${status} and ended ${ends} times`),
    ...owners.map(({ slots, backlog }) => `an owner still has ${slots} slots and a backlog of ${backlog}`),
  ]
}
