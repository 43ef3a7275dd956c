import { isOperation, kindOf } from '@lathe/operations'
import { createTestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { advisoryLocks } from '../advisory-locks.ts'
import { bytes } from '../bytes.ts'
import { createDatabase, type Database } from '../database.ts'
import { insertUser } from './accounts.ts'
import { listPairRates, measurePairRates } from './pair-rates.ts'

const own = new AsyncDisposableStack()
const [ann, bob] = ['0123456789abcdef01234567', 'fedcba987654321001234567'] as const
let database: Database

beforeAll(async () => {
  const { url } = own.use(await createTestDatabase())
  database = own.use(createDatabase({ url, connections: 4 }))
  for (const id of [ann, bob]) await insertUser(database.pool, { id, name: 'owner', slots: 1 })
})
afterAll(() => own.disposeAsync())
beforeEach(async () => {
  await database.pool.query('truncate usage, tasks, files, pair_rates')
})

interface Sums {
  readonly to?: string
  readonly engine?: string
  readonly completed?: number
  readonly failed?: number
  readonly canceled?: number
}

/** Adds an owner's usage of conversions from jpg some days ago. */
async function addUsage(ownerId: string, daysAgo: number, sums: Sums): Promise<void> {
  const { to = 'webp', engine = 'image', completed = 0, failed = 0, canceled = 0 } = sums
  await database.pool.query(
    `insert into usage values ($1, (now() at time zone 'utc')::date - $2::int, 'convert', 'jpg', $3, $4, $5, $6, $7, 0, 0)`,
    [bytes(ownerId), daysAgo, to, engine, completed, failed, canceled],
  )
}

let made = 0
const nextId = () => {
  made += 1
  return `${Math.floor(Date.now() / 1000).toString(16)}${made.toString(16).padStart(16, '0')}`
}

async function addTask(operation: string, format: string, { inputs = [] as string[], status = 'completed', ms = 0 }) {
  const id = nextId()
  await database.pool.query(
    `insert into tasks (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending, slot, seq,
                        created_at, updated_at, times)
     values ($1, $2, $2, 0, 'x', $3, $4, $5, '{}', $6::bytea[], 0, false, 1, now(), now(), $7)`,
    [
      ...[
        bytes(id),
        bytes(ann),
        operation,
        isOperation(operation) && kindOf(operation) === 'process' ? 'process' : 'transfer',
        status,
      ],
      ...[inputs.map(bytes), JSON.stringify({ queueMs: 1, fetchMs: 1, engineMs: ms, storeMs: 1 })],
    ],
  )
  // Files after the first do not decide the pair.
  for (const [n, one] of [format, 'txt'].entries()) {
    await database.pool.query(
      `insert into files (task_id, n, key, filename, format, size, sha256, crc32, expires_at)
       values ($1, $2, 'k', 'x', $3, 1, '\\x00', 1, now())`,
      [bytes(id), n, one],
    )
  }
  return id
}

/** Conversions of one upload that took this many milliseconds each. */
async function addConversions(times: readonly number[], { status = 'completed', to = 'webp' } = {}) {
  const inputs = [await addTask('import/upload', 'jpg', {}), await addTask('import/upload', 'png', {})]
  for (const ms of times) await addTask('convert', to, { inputs, status, ms })
}

const age = () => database.pool.query(`update pair_rates set measured_at = now() - interval '61 minutes'`)
const pair = { operation: 'convert', from: 'jpg', to: 'webp' }

describe('the rates of pairs', () => {
  it('are counted over all owners, engines and the last 30 days, without what was canceled [D-http-77]', async () => {
    await addUsage(ann, 0, { completed: 5, failed: 1, canceled: 100 })
    await addUsage(ann, 0, { engine: 'ocr', completed: 1 })
    await addUsage(ann, 12, { completed: 3 })
    await addUsage(bob, 29, { completed: 4, failed: 2 })
    await addUsage(bob, 30, { completed: 1000, failed: 1000 })
    await addUsage(bob, 1, { to: 'png', failed: 7 })
    await addUsage(bob, 1, { to: 'gif', canceled: 9 })
    await addUsage(bob, 1, { to: '', completed: 9 })
    expect(await measurePairRates(database)).toBe(2)
    const found = await listPairRates(database.pool)
    expect(found.toSorted((a, b) => b.completed - a.completed)).toEqual([
      { ...pair, completed: 13, failed: 3, medianMs: null },
      { ...pair, to: 'png', completed: 0, failed: 7, medianMs: null },
    ])
  })

  it('have the median time of completed tasks whose records are there', async () => {
    await addUsage(ann, 0, { completed: 5, failed: 2 })
    await addUsage(ann, 0, { to: 'png', completed: 4 })
    await addConversions([900, 10, 250, 40, 30_000])
    await addConversions([1, 1, 1], { status: 'failed' })
    await addConversions([1, 1, 1], { status: 'deleted' })
    // Too few for a median.
    await addConversions([1, 2, 3, 4], { to: 'png' })
    await measurePairRates(database)
    const medians = (await listPairRates(database.pool)).map(({ to, medianMs }) => [to, medianMs])
    expect(medians.toSorted()).toEqual([
      ['png', null],
      ['webp', 250],
    ])
  })

  it('are replaced after an hour, and not before', async () => {
    await addUsage(ann, 0, { completed: 5 })
    await addUsage(ann, 0, { to: 'png', completed: 1 })
    expect(await measurePairRates(database)).toBe(2)
    await database.pool.query(`delete from usage where output_format = 'png'`)
    await addUsage(bob, 0, { completed: 2 })
    expect(await measurePairRates(database)).toBe(0)
    expect(await listPairRates(database.pool)).toHaveLength(2)
    await age()
    expect(await measurePairRates(database)).toBe(1)
    expect(await listPairRates(database.pool)).toEqual([{ ...pair, completed: 7, failed: 0, medianMs: null }])
    await age()
    await database.pool.query('truncate usage')
    expect(await measurePairRates(database)).toBe(0)
    expect(await listPairRates(database.pool)).toEqual([])
  })

  it('are measured by one process at a time [D-http-77]', async () => {
    await addUsage(ann, 0, { completed: 5 })
    const counts = await Promise.all([1, 2, 3].map(() => measurePairRates(database)))
    expect(counts.toSorted()).toEqual([0, 0, 1])
    await age()
    await database.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [advisoryLocks.pairRates])
      expect(await measurePairRates(database)).toBe(0)
    })
    expect(await measurePairRates(database)).toBe(1)
    expect(await listPairRates(database.pool)).toHaveLength(1)
  })

  it('stay as they were if the measurement fails', async () => {
    await addUsage(ann, 0, { completed: 5 })
    await measurePairRates(database)
    await age()
    // More than the column can store.
    await addUsage(bob, 0, { completed: Number.MAX_SAFE_INTEGER })
    await database.pool.query('update usage set completed = 9223372036854775807 where owner_id = $1', [bytes(bob)])
    await expect(measurePairRates(database)).rejects.toThrow('out of range')
    expect(await listPairRates(database.pool)).toEqual([{ ...pair, completed: 5, failed: 0, medianMs: null }])
  })
})
