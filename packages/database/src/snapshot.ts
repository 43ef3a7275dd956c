import pg from 'pg'
import { sqlState } from './database.ts'

/** A snapshot of the database, held until the work on it is done. */
export interface Snapshot {
  /** The argument of `pg_dump --snapshot`. */
  readonly id: string
  readonly takenAt: Date
  /** The server's version, such as 17.6. */
  readonly server: string
  /** Names of its migrations, oldest first. */
  readonly migrations: readonly string[]
  /** The number of rows of every table; rows of partitions count for their table. */
  readonly counts: Readonly<Record<string, number>>
}

const tableGone = '42P01'
const mostTries = 5

/**
 * Holds a snapshot of the database while the work runs. Requests and workers continue; partitions are not dropped and
 * migrations wait until it is done.
 */
export async function withSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'lathe backup' })
  await client.connect()
  try {
    await lockTables(client)
    return await work(await describe(client))
  } finally {
    await client.end()
  }
}

/** Begins the transaction with a lock on every table: the scheduler may drop one between the listing and the lock. */
async function lockTables(client: pg.Client): Promise<void> {
  // Timeouts that the operator has set are for the service, not for a backup.
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  for (let left = mostTries; ; ) {
    const tables = await listTables(client)
    try {
      await client.query('begin isolation level repeatable read read only')
      // The first statement after the locks takes the snapshot.
      if (tables.length > 0) await client.query(`lock table ${tables.map(quoted).join(', ')} in access share mode`)
      return
    } catch (error) {
      await client.query('rollback')
      left -= 1
      if (sqlState(error) !== tableGone || left <= 0) throw error
    }
  }
}

async function describe(client: pg.Client): Promise<Snapshot> {
  const { rows } = await client.query<{ id: string; at: Date; server: string }>(
    `select pg_export_snapshot() as id, now() as at, current_setting('server_version') as server`,
  )
  const { rows: migrations } = await client.query<{ name: string }>('select name from schema_migrations order by name')
  const counts: Record<string, number> = {}
  for (const table of await listTables(client)) counts[table] = await countRows(client, table)
  const [{ id = '', at = new Date(), server = '' } = {}] = rows
  return { id, takenAt: at, server: server.split(' ')[0] ?? '', migrations: migrations.map(({ name }) => name), counts }
}

/** The contents of the target database of a restore. */
export interface Contents {
  /** Every table, without partitions. */
  readonly tables: readonly string[]
  /** Tables with rows that are worth keeping: neither `schema_migrations` nor who leads. */
  readonly filled: readonly string[]
  /** The application names of other connections. */
  readonly connected: readonly string[]
}

/** Inspects a database without changing it. */
export async function findContents(url: string): Promise<Contents> {
  const client = new pg.Client({ connectionString: url, application_name: 'lathe restore' })
  await client.connect()
  try {
    const tables = await listTables(client)
    const filled: string[] = []
    for (const table of tables.filter((name) => name !== 'schema_migrations' && name !== 'leadership')) {
      const { rowCount } = await client.query(`select from ${quoted(table)} limit 1`)
      if (rowCount) filled.push(table)
    }
    const { rows } = await client.query<{ name: string }>(
      `select coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    return { tables, filled, connected: rows.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/** Tables of the current schema, without partitions. */
async function listTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
      order by relname`,
  )
  return rows.map(({ name }) => name)
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoted(table)}`)
  return Number(rows[0]?.count)
}

const quoted = (name: string) => pg.escapeIdentifier(name)
