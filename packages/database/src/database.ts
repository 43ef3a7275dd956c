import pg from 'pg'
import { fromBytes } from './bytes.ts'
import type { DatabaseConfig } from './config.ts'
import { PreparingClient } from './preparing-client.ts'
import { watchConnections } from './watch-connections.ts'

/**
 * The pool, or one transaction. Always the first argument of a query, so it cannot be forgotten. Queries of one
 * transaction that do not need each other's results may be sent together: they run in the order they were sent, in one
 * round trip.
 */
export type Executor = Pick<pg.PoolClient, 'query'>

export interface Database extends AsyncDisposable {
  readonly pool: Executor
  /** Runs the work in one transaction; retries after a deadlock or serialization failure. */
  transaction<T>(work: (tx: Executor) => Promise<T>, options?: TimeLimit): Promise<T>
  /**
   * One transaction whose queries are all sent together with its end: one round trip, and no lock waits for the client.
   * No query may be sent after the first answer.
   */
  atOnce<T>(work: (tx: Executor) => Promise<T>): Promise<T>
  /** One connection for queries that are sent together, each in a transaction of its own. */
  withConnection<T>(work: (connection: Executor) => Promise<T>): Promise<T>
  /** A connection for statements that cannot run in a transaction, each for as long as the limit. */
  outsideTransactions<T>(work: (connection: Executor) => Promise<T>, limit: TimeLimit): Promise<T>
  /**
   * The same database, where everything runs in transactions that begin with this statement. If it fails, nothing else
   * is done. Only work outside transactions can outlast it.
   */
  fencedBy(statement: string): Database
}

export interface TimeLimit {
  /** For statements that may take longer than the others. */
  readonly timeoutMs: number
}

const byteaOid = 17
const int8Oid = 20
const byteaArrayOid = 1001

/**
 * PostgreSQL cancels a statement this long before we stop waiting, so that a timeout on our side means that it is
 * unreachable.
 */
const graceMs = 1_000

/** Our transactions take milliseconds: one whose process froze must not hold its locks for long. */
const idleInTransactionMs = 5_000

/** Longer than a frozen process can hold a lock, so that those who wait for the lock get it. */
const lockMs = 6_000

/** How long to wait for a free connection, or for a new one. */
const connectMs = 5_000

/** Opens the database. Connects on the first query. */
export function createDatabase({ url, connections, pooler = 'none', timeoutMs = 10_000 }: DatabaseConfig): Database {
  const isPooled = pooler === 'transaction'
  const limits = {
    idle_in_transaction_session_timeout: idleInTransactionMs,
    lock_timeout: Math.min(lockMs, timeoutMs - graceMs),
    statement_timeout: timeoutMs - graceMs,
  }
  const config = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: Math.min(connectMs, timeoutMs),
    idleTimeoutMillis: 30_000,
    // A connection keeps every prepared statement, also those of partitions that are long gone.
    maxLifetimeSeconds: 3_600,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    // Poolers refuse or ignore these.
    ...(!isPooled && {
      options: Object.entries(limits)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    }),
    types: { getTypeParser: parserOf },
    Client: PreparingClient,
    patienceMs: timeoutMs,
    prepares: !isPooled,
    pipeline: true,
  }
  const pool = new pg.Pool(config)
  const watch = watchConnections(pool)
  // The pool drops an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', () => {})
  // What one transaction sets for its session stays with a connection of the pooler, where others find it.
  const opening = isPooled ? setLocal(limits) : ''
  return {
    ...openDatabase(pool, { opening, isPooled }),
    async [Symbol.asyncDispose]() {
      await pool.end()
      watch[Symbol.dispose]()
    },
  }
}

interface Ways {
  /** What every transaction begins with; empty if statements need none. */
  readonly opening: string
  readonly isPooled: boolean
}

function openDatabase(pool: pg.Pool, { opening, isPooled }: Ways): Database {
  const begin = opening === '' ? 'begin' : `begin;${opening}`
  const inside = (client: pg.PoolClient) => (opening === '' ? client : eachInTransaction(client, begin))
  const query = (...args: Parameters<Executor['query']>) =>
    withClient(pool, (client) => inside(client).query(...args) as unknown as Promise<unknown>)
  return {
    pool: opening === '' ? pool : { query: query as Executor['query'] },
    transaction: (work, limit) =>
      retrying(() => withClient(pool, (client) => inTransaction(client, begin, work, limit))),
    atOnce: (work) => retrying(() => withClient(pool, (client) => allAtOnce(client, begin, work))),
    withConnection: (work) => withClient(pool, (client) => work(inside(client))),
    outsideTransactions: (work, limit) =>
      withClient(pool, async (client) => {
        if (opening !== '') await inside(client).query('select')
        return outsideTransactions(client, work, { ...limit, isPooled })
      }),
    fencedBy: (statement) => openDatabase(pool, { opening: `${opening}${statement};`, isPooled }),
    // Only what has opened the connections closes them.
    [Symbol.asyncDispose]: async () => {},
  }
}

function setLocal(settings: Readonly<Record<string, number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name}=${value};`)
    .join('')
}

function limitsOf({ timeoutMs }: TimeLimit): Readonly<Record<string, number>> {
  return { statement_timeout: timeoutMs - graceMs, lock_timeout: timeoutMs - graceMs }
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let mustClose: Error | boolean = false
  const onError = (error: Error) => {
    mustClose = error
  }
  client.on('error', onError)
  try {
    return await work(client)
  } finally {
    client.off('error', onError)
    client.release(mustClose || (client instanceof PreparingClient && client.isSpent))
  }
}

async function outsideTransactions<T>(
  client: pg.PoolClient,
  work: (connection: Executor) => Promise<T>,
  { timeoutMs, isPooled }: TimeLimit & Pick<Ways, 'isPooled'>,
): Promise<T> {
  if (client instanceof PreparingClient) client.changePatience(timeoutMs)
  // Behind a pooler, only our own patience limits these statements.
  if (!isPooled) {
    await client.query(`select set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false)`, [
      String(timeoutMs - graceMs),
    ])
  }
  return work(client)
}

/** Each query in a transaction of its own; they are sent at once, and each takes one round trip as before. */
function eachInTransaction(client: pg.PoolClient, begin: string): Executor {
  const query = (...args: Parameters<Executor['query']>) =>
    allAtOnce(client, begin, (tx) => tx.query(...args) as unknown as Promise<unknown>)
  return { query: query as Executor['query'] }
}

async function inTransaction<T>(
  client: pg.PoolClient,
  begin: string,
  work: (tx: Executor) => Promise<T>,
  limit?: TimeLimit,
): Promise<T> {
  const { tx, close, causeOf } = openExecutor(client)
  if (limit && client instanceof PreparingClient) client.changePatience(limit.timeoutMs)
  // Sent together with the first query of the work, in one round trip.
  const begun = client.query(`${begin}${limit ? `;${setLocal(limitsOf(limit))}` : ''}`)
  const refusal = begun.then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    const value = await work(tx)
    close()
    await begun
    await client.query('commit')
    return value
  } catch (error) {
    close()
    // A broken connection has already rolled back.
    await client.query('rollback').catch(() => {})
    throw (await refusal) ?? causeOf(error)
  }
}

async function allAtOnce<T>(client: pg.PoolClient, begin: string, work: (tx: Executor) => Promise<T>): Promise<T> {
  const { tx, close, causeOf } = openExecutor(client)
  const begun = client.query(begin)
  const done = work(tx)
  close()
  // After a failed query, this rolls back.
  const ended = client.query('commit')
  const [opened, answer, end] = await Promise.allSettled([begun, done, ended])
  if (opened.status === 'rejected') throw opened.reason
  if (answer.status === 'rejected') throw causeOf(answer.reason)
  if (end.status === 'rejected') throw end.reason
  return answer.value
}

/** Runs queries of one transaction only: code that continues after its end must not write outside it. */
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
  /** The original error: queries after a failed one fail too, and one of those may be reported first. */
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

/** PostgreSQL's five-character error code, if the error came from there. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** Whether PostgreSQL rejected the data itself (class 22), so that a retry cannot succeed. */
export function isUnwritable(error: unknown): boolean {
  return sqlState(error)?.startsWith('22') ?? false
}

// Ids and hashes are hex in our code; sizes fit into the 53 bits of a double.
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === byteaOid) return fromBytes
  if (oid === int8Oid) return Number
  if (oid === byteaArrayOid) return parseByteaArray
  return pg.types.getTypeParser(oid, format ?? 'text')
}

/** `{"\\x01","\\x02"}`: elements contain only hex digits, so no parser is needed. */
function parseByteaArray(text: string): string[] {
  return Array.from(text.matchAll(/\\x([0-9a-f]*)/g), (match) => match[1] ?? '')
}
