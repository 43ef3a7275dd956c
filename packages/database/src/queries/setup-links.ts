import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

const kept = 5

/** Stores a link that creates the first administrator. Deletes expired links, and the oldest if there are many. */
export async function insertSetupLink(
  db: Executor,
  { hash, lastsS }: { readonly hash: string; readonly lastsS: number },
): Promise<void> {
  await db.query(
    `with gone as (
       delete from setup_links where expires_at <= now()
           or hash in (select hash from setup_links order by created_at desc offset $3))
     insert into setup_links (hash, expires_at) values ($1, now() + $2 * interval '1 second')`,
    [bytes(hash), lastsS, kept - 1],
  )
}

/** Consumes a valid link; false if there is no such link. */
export async function takeSetupLink(tx: Executor, hash: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from setup_links where hash = $1 and expires_at > now()', [bytes(hash)])
  return rowCount === 1
}

export async function deleteSetupLinks(tx: Executor): Promise<void> {
  await tx.query('delete from setup_links')
}
