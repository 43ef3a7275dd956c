import { type Database, type HostKeySeen, rememberHostKey, replaceHostKey } from '@lathe/database'

/** The host keys each owner's servers have shown. */
export interface HostKeys {
  /** Remembers the first key of a server, and gives the fingerprint that counts. */
  remember(seen: HostKeySeen): Promise<string>
  /** From now on the server is known by this key: its owner has named it. */
  replace(named: HostKeySeen): Promise<void>
}

/** Keeps them in the record, so that all workers know them. */
export function createHostKeys({ pool }: Pick<Database, 'pool'>): HostKeys {
  return {
    remember: (seen) => rememberHostKey(pool, seen),
    replace: (named) => replaceHostKey(pool, named),
  }
}
