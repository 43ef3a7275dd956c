import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { migrate } from '@lathe/database'
import type pg from 'pg'

// Not import.meta.resolve: it does not exist in a Vitest global setup.
const migrations = new URL('../../database/migrations/', import.meta.url)
// Any fixed number: test files that start together build the template once.
const lockKey = 7_264_302

/**
 * Returns the name of a migrated database to clone from. Builds it when these migrations are seen for the first time.
 */
export async function ensureTemplate(server: pg.Client, serverUrl: string): Promise<string> {
  const name = `lathe_template_${await migrationsHash()}`
  await server.query('select pg_advisory_lock($1)', [lockKey])
  try {
    const { rowCount } = await server.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await buildTemplate(server, serverUrl, name)
    return name
  } finally {
    await server.query('select pg_advisory_unlock($1)', [lockKey])
  }
}

// Renamed when complete: an existing template is complete even if a builder was killed.
async function buildTemplate(server: pg.Client, serverUrl: string, name: string): Promise<void> {
  const draft = `${name}_draft`
  await server.query(`drop database if exists ${draft} with (force)`)
  await server.query(`create database ${draft} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${draft}`
  await migrate(url.href)
  await server.query(`alter database ${draft} rename to ${name}`)
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  for (const name of names) hash.update(`${name}\n`).update(await readFile(new URL(name, migrations)))
  return hash.digest('hex').slice(0, 12)
}
