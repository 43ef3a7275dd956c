import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { sqlState } from './database.ts'
import { ensurePartitions } from './partitions.ts'

const folder = new URL('../migrations/', import.meta.url)

/** How a migration behaves on a database that is in use. */
export interface MigrateOptions {
  /** How long it waits for a lock. Later statements wait behind it for as long, so it is short. */
  readonly lockMs?: number
  /** How many attempts it makes before it fails. */
  readonly tries?: number
}

const pauseMs = 1_000
// None of our statements takes longer: a table is never rewritten (docs/upgrades.md).
const statementMs = 60_000

/**
 * Brings the database to the newest schema and creates the current partitions. Forward only; every migration runs once,
 * in its own transaction, even if several processes migrate at the same time. A migration that does not get its locks
 * soon lets others pass and tries again.
 */
export async function migrate(
  url: string,
  now: Date = new Date(),
  { lockMs = 2_000, tries = 30 }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.migrations])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied = await applyMissing(client, { lockMs, tries })
    await ensurePartitions(client, now)
    return applied
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client, options: Required<MigrateOptions>): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const known = new Set(rows.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name))
  for (const name of missing) {
    await applyPatiently(client, { name, sql: await readFile(new URL(name, folder), 'utf8') }, options)
  }
  return missing
}

interface Migration {
  readonly name: string
  readonly sql: string
}

const lockNotAvailable = '55P03'

async function applyPatiently(client: pg.Client, migration: Migration, { lockMs, tries }: Required<MigrateOptions>) {
  for (let left = tries; ; ) {
    try {
      return await apply(client, migration, lockMs)
    } catch (error) {
      await client.query('rollback')
      left -= 1
      if (sqlState(error) !== lockNotAvailable || left <= 0) throw error
      await pause(pauseMs)
    }
  }
}

async function apply(client: pg.Client, { name, sql }: Migration, lockMs: number): Promise<void> {
  await client.query('begin')
  await client.query(`set local lock_timeout = ${lockMs}`)
  await client.query(`set local statement_timeout = ${statementMs}`)
  await client.query(sql)
  await client.query('insert into schema_migrations (name) values ($1)', [name])
  await client.query('commit')
}
