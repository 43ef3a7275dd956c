import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A host key, as an SFTP server has shown it to one owner. */
export interface HostKeySeen {
  readonly ownerId: ObjectId
  readonly host: string
  readonly port: number
  /** SHA-256 of the key, as OpenSSH prints it. */
  readonly fingerprint: string
}

/** Remembers the first key a server shows to an owner, and gives the fingerprint it is to be known by from then on. */
export async function rememberHostKey(db: Executor, seen: HostKeySeen): Promise<string> {
  await db.query(
    `insert into host_keys (owner_id, host, port, fingerprint) values ($1, $2, $3, $4)
     on conflict (owner_id, host, port) do nothing`,
    toValues(seen),
  )
  // A statement of its own: it sees the row of whoever was first, even a moment ago.
  const { rows } = await db.query<{ fingerprint: string }>(
    'select fingerprint from host_keys where owner_id = $1 and host = $2 and port = $3',
    toValues(seen).slice(0, 3),
  )
  return rows[0]?.fingerprint ?? seen.fingerprint
}

/** Puts a key that its owner has named in place of the one that was remembered. */
export async function replaceHostKey(db: Executor, named: HostKeySeen): Promise<void> {
  await db.query(
    `insert into host_keys (owner_id, host, port, fingerprint) values ($1, $2, $3, $4)
     on conflict (owner_id, host, port) do update
        set fingerprint = excluded.fingerprint, first_seen_at = now()
      where host_keys.fingerprint <> excluded.fingerprint`,
    toValues(named),
  )
}

function toValues({ ownerId, host, port, fingerprint }: HostKeySeen): unknown[] {
  return [bytes(ownerId), host, port, fingerprint]
}
