import type { Stack } from '@lathe/testing'
import { waitFor } from '@lathe/testing'

/** A task as stored in the database. */
export interface TaskRow {
  readonly id: string
  readonly operation: string
  readonly status: string
  readonly attempt: number
  readonly workerId: string | null
  readonly reason: string | null
}

const columns = `id, operation, status, attempt, worker_id as "workerId", reason`

export async function findTaskRow(stack: Stack, id: string): Promise<TaskRow> {
  const { rows } = await stack.database.pool.query<TaskRow>(`select ${columns} from tasks where id = $1`, [`\\x${id}`])
  if (!rows[0]) throw new Error(`task ${id} is not in the record`)
  return rows[0]
}

export async function listTaskRows(stack: Stack, ownerId: string): Promise<readonly TaskRow[]> {
  const sql = `select ${columns} from tasks where owner_id = $1 order by id`
  return (await stack.database.pool.query<TaskRow>(sql, [`\\x${ownerId}`])).rows
}

export async function countOpen(stack: Stack, ownerId: string): Promise<number> {
  const rows = await listTaskRows(stack, ownerId)
  return rows.filter(({ status }) => status === 'created' || status === 'processing').length
}

/** Waits until no task of the owner is open. On timeout, the error contains the open ones and the last logs. */
export async function untilSettled(stack: Stack, ownerId: string, withinMs = 180_000): Promise<void> {
  const settled = async () => (await countOpen(stack, ownerId)) === 0
  await waitFor(settled, { withinMs, everyMs: 250, what: 'the end of every task' }).catch(async (error) => {
    const open = (await listTaskRows(stack, ownerId)).filter(({ status }) => /created|processing/.test(status))
    throw new Error(`${error.message}\n${JSON.stringify(open.slice(0, 20))}\n${stack.tails()}`)
  })
}
