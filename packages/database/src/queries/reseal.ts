import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A task that still holds sealed secrets. */
export interface SealedTask {
  readonly id: ObjectId
  /** Hex. */
  readonly sealed: string
}

/** Tasks that have not ended and hold secrets, in the order of their ids, after the one named. */
export async function findSealed(
  executor: Executor,
  { after, limit }: { readonly after: ObjectId; readonly limit: number },
): Promise<readonly SealedTask[]> {
  const { rows } = await executor.query<SealedTask>(
    `select id, sealed
       from tasks
      where status in ('created', 'processing') and sealed is not null and id > $1
      order by id limit $2`,
    [bytes(after), limit],
  )
  return rows
}

/** Puts another seal in place of the one that was read; a task that ended meanwhile stays without any. */
export async function replaceSeal(executor: Executor, { id, sealed }: SealedTask, resealed: string): Promise<void> {
  await executor.query(`update tasks set sealed = decode($3, 'hex') where id = $1 and sealed = decode($2, 'hex')`, [
    bytes(id),
    sealed,
    resealed,
  ])
}
