import pg from 'pg'
import { fromBytes } from './bytes.ts'
import type { DatabaseConfig } from './config.ts'
import { PreparingClient } from './preparing-client.ts'

/**
 * The pool, or one transaction. Always the first argument of a query, so it cannot be forgotten. Queries of one
 * transaction that do not need each other's answers may be asked at once: they are done in the order they were asked,
 * for one round trip.
 */
export type Executor = Pick<pg.PoolClient, 'query'>

export interface Database extends AsyncDisposable {
  readonly pool: Executor
  /** Runs the work in one transaction; a deadlock or serialization failure is tried again. */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>
  /** A connection of one's own for as long as the work takes: session locks live on it. */
  withConnection<T>(work: (connection: pg.PoolClient) => Promise<T>): Promise<T>
}

const byteaOid = 17
const int8Oid = 20
const byteaArrayOid = 1001

/** Opens the record. Nothing is connected before the first query. */
export function createDatabase({ url, connections }: DatabaseConfig): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // A transaction of ours takes milliseconds: one that hangs must not hold its locks for long.
    options: '-c idle_in_transaction_session_timeout=15000 -c statement_timeout=60000',
    types: { getTypeParser: parserOf },
    Client: PreparingClient,
    pipeline: true,
  })
  // An idle connection that breaks is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  return {
    pool,
    transaction: (work) => retrying(() => inTransaction(pool, work)),
    withConnection: (work) => withConnection(pool, work),
    async [Symbol.asyncDispose]() {
      await pool.end()
    },
  }
}

async function withConnection<T>(pool: pg.Pool, work: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    return await work(client)
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Executor) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client) => {
    const { tx, close, causeOf } = openExecutor(client)
    try {
      // Sent ahead of the work's first query, in one round trip with it.
      const begun = client.query('begin')
      begun.catch(() => {})
      const value = await work(tx)
      close()
      await begun
      await client.query('commit')
      return value
    } catch (error) {
      close()
      // A broken connection has rolled back by itself.
      await client.query('rollback').catch(() => {})
      throw causeOf(error)
    }
  })
}

/** Asks on behalf of one transaction, and of no other: whoever goes on after its end must not write beside it. */
function openExecutor(client: pg.PoolClient): OpenExecutor {
  let isOpen = true
  let firstError: unknown
  function query(...args: Parameters<Executor['query']>) {
    if (!isOpen) throw new Error('the transaction has ended')
    const asked: unknown = client.query(...args)
    if (asked instanceof Promise) asked.catch((error: unknown) => (firstError ??= error))
    return asked
  }
  return {
    tx: { query: query as Executor['query'] },
    close() {
      isOpen = false
    },
    causeOf: (error) => (sqlState(error) === inFailedTransaction ? (firstError ?? error) : error),
  }
}

interface OpenExecutor {
  readonly tx: Executor
  close(): void
  /** The error that made the others: queries behind a failed one fail too, and one of those may be heard first. */
  causeOf(error: unknown): unknown
}

const inFailedTransaction = '25P02'
const retryable = new Set(['40P01', '40001'])
const maxTries = 8

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!retryable.has(sqlState(error) ?? '') || tries >= maxTries) throw error
    }
  }
}

/** PostgreSQL's five-character code of an error, if it came from there. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

// Ids and hashes are hex on the inside; sizes fit a double's 53 bits.
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === byteaOid) return fromBytes
  if (oid === int8Oid) return Number
  if (oid === byteaArrayOid) return parseByteaArray
  return pg.types.getTypeParser(oid, format ?? 'text')
}

/** `{"\\x01","\\x02"}`: elements hold hex digits only, so the text can be cut without a parser. */
function parseByteaArray(text: string): string[] {
  return Array.from(text.matchAll(/\\x([0-9a-f]*)/g), (match) => match[1] ?? '')
}
