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
 * in its own transaction, even if several processes migrate at the same time or a pooler gives every transaction
 * another session. A migration that does not get its locks soon lets others pass and tries again.
 */
export async function migrate(
  url: string,
  now: Date = new Date(),
  { lockMs = 2_000, tries = 30 }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const applied = await applyMissing(client, { lockMs, tries })
    await ensurePartitions(client, now)
    return applied
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client, options: Required<MigrateOptions>): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const known = await alone(client, async () => {
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
    return new Set(rows.map(({ name }) => name))
  })
  const applied: string[] = []
  for (const name of names.filter((name) => !known.has(name))) {
    const sql = await readFile(new URL(name, folder), 'utf8')
    if (await applyPatiently(client, { name, sql }, options)) applied.push(name)
  }
  return applied
}

/** One transaction, while no other process migrates or restores a backup. */
async function alone<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migrations])
  const value = await work()
  await client.query('commit')
  return value
}

interface Migration {
  readonly name: string
  readonly sql: string
}

const lockNotAvailable = '55P03'

async function applyPatiently(
  client: pg.Client,
  migration: Migration,
  { lockMs, tries }: Required<MigrateOptions>,
): Promise<boolean> {
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

/** Returns false if another process has applied it meanwhile. */
async function apply(client: pg.Client, { name, sql }: Migration, lockMs: number): Promise<boolean> {
  return alone(client, async () => {
    const { rowCount } = await client.query('select from schema_migrations where name = $1', [name])
    if (rowCount) return false
    await client.query(`set local lock_timeout = ${lockMs}`)
    await client.query(`set local statement_timeout = ${statementMs}`)
    await client.query(sql)
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    return true
  })
}
