import { createDatabase, type Database } from '@lathe/database'
import { failure } from '@lathe/domain'
import type { Claim, WorkerDesk } from '@lathe/orchestrator'
import { createLog } from '@lathe/runtime'
import { createTestDatabase, type TestDatabase } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineRun } from './engine-run.ts'
import { reportEnd } from './report-end.ts'
import type { RunTimes } from './run-times.ts'

let own: TestDatabase
let database: Database
beforeAll(async () => {
  own = await createTestDatabase()
  database = createDatabase({ url: own.url, connections: 2 })
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
})

const run = {
  claim: { fence: {} } as Claim,
  engine: { clock: { ms: 0 } } as EngineRun,
  times: { sum: () => ({ queueMs: 0, fetchMs: 0, engineMs: 0, storeMs: 0 }) } as RunTimes,
  log: createLog({ level: 'silent', name: 'worker' }),
}
const outcome = { kind: 'done', files: [], warnings: ['x'] } as const

/** A desk whose completions run a statement first, this many times, and that records its calls. */
function deskBehind(statement: string, times = Number.POSITIVE_INFINITY) {
  const asked: string[] = []
  const desk: Pick<WorkerDesk, 'complete' | 'fail'> = {
    async complete() {
      asked.push('complete')
      if (asked.length <= times) await database.pool.query(statement)
      return 'written'
    },
    async fail(_, { code }) {
      asked.push(code)
      return 'written'
    },
  }
  return { desk, asked }
}

describe('the end of a task', () => {
  it.each([
    ['a NUL in JSON', `select '"\\u0000"'::jsonb ->> 0`],
    ['half of a surrogate pair', `select '"\\ud800"'::jsonb`],
    ['bytes that are no text', `select convert_from('\\xff', 'UTF8')`],
  ])('S1: that PostgreSQL cannot keep is a failure at once: %s', async (_, statement) => {
    const { desk, asked } = deskBehind(statement)
    expect(await reportEnd(desk, run, outcome)).toBe('written')
    expect(asked).toEqual(['complete', 'unwritable'])
  })

  it('is reported again if PostgreSQL was down', async () => {
    const { desk, asked } = deskBehind('select pg_terminate_backend(pg_backend_pid())', 2)
    expect(await reportEnd(desk, run, outcome)).toBe('written')
    expect(asked).toEqual(['complete', 'complete', 'complete'])
  })

  it('is reported as the failure it was', async () => {
    const { desk, asked } = deskBehind('select 1')
    expect(await reportEnd(desk, run, failure('input_damaged'))).toBe('written')
    expect(asked).toEqual(['input_damaged'])
  })
})
