import { firstIdAt } from '@lathe/domain'
import { createTestDatabase, type TestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytes } from './bytes.ts'
import { createDatabase, type Database } from './database.ts'
import { dropExpiredPartitions, ensurePartitions, hourOf } from './partitions.ts'

let test: TestDatabase
let database: Database
beforeAll(async () => {
  test = await createTestDatabase()
  database = createDatabase({ url: test.url, connections: 8 })
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await test[Symbol.asyncDispose]()
})

const hour = 3_600_000

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass order by 1`,
    [table],
  )
  return rows.map(({ name }) => name)
}

const drop = (now: Date) => database.withConnection((connection) => dropExpiredPartitions(connection, now))

describe('partitions in PostgreSQL', () => {
  it('are created in advance, once, even by two schedulers at the same time', async () => {
    const later = new Date(Date.now() + 12 * hour)
    await Promise.all([ensurePartitions(database.pool, later), ensurePartitions(database.pool, later)])
    expect(await ensurePartitions(database.pool, later)).toBe(0)
    expect((await partitionsOf('tasks')).length).toBeGreaterThanOrEqual(16)
  })

  it('are dropped when every record in them has expired, and their indexes with them [S-gen-19, S-lim-07]', async () => {
    const before = await partitionsOf('tasks')
    const { dropped } = await drop(new Date(Date.now() + 30 * hour))
    const after = await partitionsOf('tasks')
    expect(dropped.filter((name) => name.startsWith('tasks_p')).length).toBe(before.length - after.length)
    expect(before.length).toBeGreaterThan(after.length)
    const { rows } = await database.pool.query(`select 1 from pg_class where relname = any($1)`, [dropped])
    expect(rows).toEqual([])
  })

  it('are kept, all of one hour, while one of its tasks is open', async () => {
    const at = new Date(Date.now() + 60 * hour)
    await ensurePartitions(database.pool, at)
    const id = bytes(firstIdAt(at))
    await database.pool.query(`insert into owners (id, slots) values ($1, 1)`, [id])
    await database.pool.query(
      `insert into tasks (id, owner_id, user_id, position, name, operation, pool, status, payload, depends_on, pending,
                          slot, seq, created_at, updated_at)
       values ($1, $1, $1, 0, 'a', 'convert', 'process', 'created', '{}', '{}', 0, true, 1, $2, $2)`,
      [id, at],
    )
    const [later, hourOfTask] = [new Date(at.getTime() + 30 * hour), hourOf(firstIdAt(at))]
    const names = async () =>
      (await Promise.all(['jobs', 'tasks', 'task_inputs', 'files', 'events'].map(partitionsOf))).flat()
    const { dropped, held } = await drop(later)
    expect(held).toEqual([hourOfTask])
    expect(dropped.length).toBeGreaterThan(0)
    expect((await names()).filter((name) => name.endsWith(`_p${hourOfTask}`))).toHaveLength(5)
    await database.pool.query(`update tasks set status = 'failed' where id = $1`, [id])
    expect((await drop(later)).held).toEqual([])
    expect((await names()).filter((name) => name.endsWith(`_p${hourOfTask}`))).toEqual([])
  })

  it('that are created and dropped during a query of 3 s delay nothing by more than 100 ms', async () => {
    const start = new Date(Date.now() + 100 * hour)
    await ensurePartitions(database.pool, start)
    const reading = database.pool.query(`select pg_sleep(3), count(*) from tasks`)
    let done = false
    // A statement that waits for a lock longer than this gets an error; time on a busy processor does not count as a
    // stall.
    const others = database.withConnection(async (connection) => {
      await connection.query(`set lock_timeout = '100ms'`)
      let count = 0
      for (; !done; count += 1) {
        const id = `\\x${count.toString(16).padStart(24, '0')}`
        await connection.query(`select count(*) from tasks where id = $1`, [id])
        await connection.query(`select count(*) from tasks`)
        await connection.query(`update tasks set msg = msg where id = $1`, [id])
      }
      await connection.query(`reset lock_timeout`)
      return count
    })
    const keeping = (async () => {
      await ensurePartitions(database.pool, new Date(start.getTime() + 6 * hour))
      await drop(new Date(start.getTime() + 30 * hour))
    })()
    await Promise.all([reading, keeping])
    done = true
    expect(await others).toBeGreaterThan(0)
  })

  it('are found again after a crash between detaching and dropping', async () => {
    const far = new Date(Date.now() + 200 * hour)
    await ensurePartitions(database.pool, far)
    const [victim] = (await partitionsOf('files')).slice(-1)
    await database.withConnection((connection) =>
      connection.query(`alter table files detach partition ${victim} concurrently`),
    )
    await drop(new Date(far.getTime() + 40 * hour))
    const { rows } = await database.pool.query(`select 1 from pg_class where relname = $1`, [victim])
    expect(rows).toEqual([])
  })
})
