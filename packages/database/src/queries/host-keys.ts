import type { ObjectId } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'

/** A host key that an SFTP server presented to one owner. */
export interface HostKeySeen {
  readonly ownerId: ObjectId
  readonly host: string
  readonly port: number
  /** SHA-256 of the key, as OpenSSH prints it. */
  readonly fingerprint: string
}

/**
 * Stores the first key that a server presents to an owner, and returns the fingerprint that is trusted from then on.
 */
export async function rememberHostKey(db: Executor, seen: HostKeySeen): Promise<string> {
  await db.query(
    `insert into host_keys (owner_id, host, port, fingerprint) values ($1, $2, $3, $4)
     on conflict (owner_id, host, port) do nothing`,
    toValues(seen),
  )
  // A separate statement, so that it sees the row of a concurrent first connection.
  const { rows } = await db.query<{ fingerprint: string }>(
    'select fingerprint from host_keys where owner_id = $1 and host = $2 and port = $3',
    toValues(seen).slice(0, 3),
  )
  return rows[0]?.fingerprint ?? seen.fingerprint
}

/** Replaces the stored key with one that the owner specified. */
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
