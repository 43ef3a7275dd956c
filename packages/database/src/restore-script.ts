import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

const lockMs = 5_000

/**
 * What `psql` runs before it reads a dump: begins the transaction and drops the existing tables. `sqlAfterRestore` ends
 * it; if anything fails before that, the database stays unchanged.
 */
export function sqlBeforeRestore(tables: readonly string[]): string {
  return [
    'begin;',
    `set local lock_timeout = ${lockMs};`,
    `do $$ begin perform pg_advisory_xact_lock(${advisoryLocks.migrations}); end $$;`,
    ...(tables.length > 0 ? [`drop table ${tables.map((name) => pg.escapeIdentifier(name)).join(', ')} cascade;`] : []),
    '',
  ].join('\n')
}

/**
 * Tables that must not be restored: a session may have ended since, a setup link or device code may have been used, and
 * nobody leads the restored installation yet.
 */
const forgotten = ['sessions', 'setup_links', 'device_codes', 'leadership']

/** Counts what was restored, and commits only if nothing is missing. All users have to sign in again. */
export function sqlAfterRestore(counts: Readonly<Record<string, number>>): string {
  const checks = Object.entries(counts).map(([table, count]) => {
    const name = pg.escapeIdentifier(table)
    return `  if (select count(*) from ${name}) <> ${Number(count)} then raise exception 'rows of ${name} are missing'; end if;`
  })
  // The dump leaves the search path empty.
  const deletions = forgotten.map((table) => (table in counts ? `delete from ${pg.escapeIdentifier(table)};` : ''))
  return ['', 'reset search_path;', 'do $$ begin', ...checks, 'end $$;', ...deletions, 'commit;', ''].join('\n')
}
