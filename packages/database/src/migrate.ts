import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ensurePartitions } from './partitions.ts'

const folder = new URL('../migrations/', import.meta.url)
// Any fixed number: it only must be the same in every process that migrates.
const lockKey = 7_264_301

/**
 * Brings the record to the newest schema and makes the partitions of now. Forward only; every
 * migration runs in its own transaction, once, whoever else migrates at the same time.
 */
export async function migrate(url: string, now: Date = new Date()): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const applied = await applyMissing(client)
    await ensurePartitions(client, now)
    return applied
  } finally {
    await client.end()
  }
}

async function applyMissing(client: pg.Client): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const known = new Set(rows.map(({ name }) => name))
  const missing = names.filter((name) => !known.has(name))
  for (const name of missing) {
    await client.query('begin')
    await client.query(await readFile(new URL(name, folder), 'utf8'))
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    await client.query('commit')
  }
  return missing
}
