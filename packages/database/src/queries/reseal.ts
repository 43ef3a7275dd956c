import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A task that still has sealed secrets. */
export interface SealedTask {
  readonly id: ObjectId
  /** Hex. */
  readonly sealed: string
}

/** Tasks that have not ended and have secrets, in the order of their ids, after the given one. */
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

/** Replaces the sealed value, if it is still the one that was read; a task that ended meanwhile stays without one. */
export async function replaceSeal(executor: Executor, { id, sealed }: SealedTask, resealed: string): Promise<void> {
  await executor.query(`update tasks set sealed = decode($3, 'hex') where id = $1 and sealed = decode($2, 'hex')`, [
    bytes(id),
    sealed,
    resealed,
  ])
}
