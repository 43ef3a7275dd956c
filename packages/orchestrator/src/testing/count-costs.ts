import type { Database, Executor } from '@lathe/database'

/** The cost of database access. */
export interface Costs {
  /** Includes `begin` and `commit`. */
  readonly statements: number
  /** Transactions, and single statements that write: each waits for the disk once. */
  readonly commits: number
  /** How often a caller waited for an answer; concurrent statements count once. */
  readonly roundTrips: number
}

/** A database that counts its use. To measure one operation, use it for nothing else meanwhile. */
export function countCosts(database: Database): { readonly counted: Database; costs(): Costs } {
  let [statements, commits, roundTrips, asked] = [0, 0, 0, 0]

  async function note<T>(count: number, work: () => Promise<T>): Promise<T> {
    statements += count
    if (asked === 0) roundTrips += 1
    asked += 1
    try {
      return await work()
    } finally {
      asked -= 1
    }
  }

  function counting(executor: Executor, onWrite: () => void): Executor {
    function query(...args: Parameters<Executor['query']>) {
      if (!/^\s*select\b/i.test(String(args[0]))) onWrite()
      return note(1, () => Promise.resolve(executor.query(...args)))
    }
    return { query: query as Executor['query'] }
  }

  const inside = (tx: Executor) => counting(tx, () => undefined)
  const counted: Database = {
    ...database,
    pool: counting(database.pool, () => {
      commits += 1
    }),
    async transaction(work) {
      // `begin` is sent with the first statement, `commit` alone.
      statements += 1
      const value = await database.transaction((tx) => work(inside(tx)))
      commits += 1
      await note(1, async () => undefined)
      return value
    },
    withConnection: (work) =>
      database.withConnection((connection) => {
        const { query } = counting(connection, () => {
          commits += 1
        })
        return work(Object.assign(Object.create(connection), { query }))
      }),
    atOnce(work) {
      commits += 1
      return note(2, () => database.atOnce((tx) => work(inside(tx))))
    },
  }
  return { counted, costs: () => ({ statements, commits, roundTrips }) }
}
