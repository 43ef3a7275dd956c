import { randomBytes } from 'node:crypto'
import { migrate } from '@lathe/database'
import pg from 'pg'
import { testServices } from './services.ts'
import { ensureTemplate } from './template.ts'
import { waitFor } from './wait-for.ts'

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/**
 * A separate database with the newest schema. Disposing drops it, and throws if a connection to it is still open: close
 * every pool first.
 */
export async function createTestDatabase(serverUrl: string = testServices().databaseUrl): Promise<TestDatabase> {
  const name = `lathe_test_${randomBytes(6).toString('hex')}`
  const url = databaseUrl(serverUrl, name)
  await withServer(serverUrl, async (server) => {
    const template = await ensureTemplate(server, serverUrl)
    await server.query(`create database ${name} template ${template}`)
  })
  // The template may be hours old: this adds the partitions for the current time.
  await migrate(url)
  return { url, [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name) }
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withServer(serverUrl, async (server) => {
    // A closed connection stays listed for a moment.
    const closed = waitFor(async () => (await openConnections(server, name)) === 0, { withinMs: 2_000 })
    const leaked = await closed.then(
      () => 0,
      () => openConnections(server, name),
    )
    await server.query(`drop database if exists ${name} with (force)`)
    if (leaked > 0) throw new Error(`${leaked} connection(s) to ${name} were left open`)
  })
}

async function openConnections(server: pg.Client, name: string): Promise<number> {
  const { rows } = await server.query<{ open: number }>(
    `select count(*)::int as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
    [name],
  )
  return rows[0]?.open ?? 0
}

async function withServer<T>(serverUrl: string, work: (server: pg.Client) => Promise<T>): Promise<T> {
  const server = new pg.Client({ connectionString: databaseUrl(serverUrl, 'postgres') })
  await server.connect()
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
