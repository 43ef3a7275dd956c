import { type Database, type HostKeySeen, rememberHostKey, replaceHostKey } from '@lathe/database'

/** The known host keys of each owner's servers. */
export interface HostKeys {
  /** Stores the first key of a server, and returns the fingerprint that is now on record. */
  remember(seen: HostKeySeen): Promise<string>
  /** Replaces the known key of a server with the one that its owner named. */
  replace(named: HostKeySeen): Promise<void>
}

/** Stores them in the database, so that all workers know them. */
export function createHostKeys({ pool }: Pick<Database, 'pool'>): HostKeys {
  return {
    remember: (seen) => rememberHostKey(pool, seen),
    replace: (named) => replaceHostKey(pool, named),
  }
}
