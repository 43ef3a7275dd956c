import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { readEnv } from '@lathe/runtime'
import { createStore, type ObjectStore, storageConfig, storageEnv } from '@lathe/storage'
import { type Stack, waitFor } from '@lathe/testing'
import { expect } from 'vitest'
import { findSandboxes } from './engine-processes.ts'
import { listTaskRows } from './record.ts'

/** The invariants of an owner's tasks once all have ended, regardless of what happened before. */
export async function checkInvariants(stack: Stack, ownerId: string, accepted: readonly string[]): Promise<void> {
  const tasks = await listTaskRows(stack, ownerId)
  const known = new Set(tasks.map(({ id }) => id))
  expect(
    accepted.filter((id) => !known.has(id)),
    'accepted and lost',
  ).toEqual([])
  expect(
    tasks.filter(({ status }) => /created|processing/.test(status)),
    'never ended',
  ).toEqual([])
  await checkEvents(stack, [...known])
  await checkCounters(stack, ownerId)
  await checkFiles(stack, ownerId)
}

/** One terminal event per task, and event numbers without a gap for every subject. */
async function checkEvents({ database }: Stack, tasks: readonly string[]): Promise<void> {
  const ends = await database.pool.query<{ id: string; ends: number }>(
    `select task_id as id, count(*)::int as ends from events
      where type in ('task.completed', 'task.failed', 'task.canceled') group by task_id`,
  )
  const endsOf = new Map(ends.rows.map(({ id, ends: count }) => [id, count]))
  expect(
    tasks.filter((id) => endsOf.get(id) !== 1).map((id) => [id, endsOf.get(id) ?? 0]),
    'not one end',
  ).toEqual([])
  const gaps = await database.pool.query(
    `select subject_id, count(*)::int as events, max(seq) as last from events
      group by subject_id having min(seq) <> 1 or max(seq) <> count(*)`,
  )
  expect(gaps.rows, 'events with gaps').toEqual([])
}

async function checkCounters({ database }: Stack, ownerId: string): Promise<void> {
  const sql = `select slots_used as "slotsUsed", backlog,
      (select coalesce(sum(bytes), 0) from stored_bytes where owner_id = $1)
      - (select coalesce(sum(f.size), 0) from files f join tasks t on t.id = f.task_id
          where t.owner_id = $1 and f.deleted_at is null) as "bytesTooMany",
      (select coalesce(sum(completed + failed + canceled), 0) from usage where owner_id = $1)
      - (select count(*) from tasks where owner_id = $1 and status not in ('created', 'processing')) as "endsTooMany"
    from owners where id = $1`
  const { rows } = await database.pool.query(sql, [`\\x${ownerId}`])
  expect(rows, 'slots still taken, or bytes not counted').toMatchObject([{ slotsUsed: 0, backlog: 0 }])
  expect(Number(rows[0].bytesTooMany), 'bytes counted without a file').toBe(0)
  expect(Number(rows[0].endsTooMany), 'usage counted without an end, or an end without usage').toBe(0)
}

interface FileRow {
  readonly taskId: string
  readonly operation: string
  readonly attempt: number
  readonly n: number
  readonly key: string | null
  readonly size: number
  readonly sha256: string
}

/** A completed task has one set of files, from its last attempt, and the store has the same bytes. */
async function checkFiles(stack: Stack, ownerId: string): Promise<void> {
  const { rows } = await stack.database.pool.query<FileRow>(
    `select t.id as "taskId", t.operation, t.attempt, f.n, f.key, f.size, f.sha256
       from tasks t left join files f on f.task_id = t.id and f.deleted_at is null
      where t.owner_id = $1 and t.status = 'completed' order by t.id, f.n`,
    [`\\x${ownerId}`],
  )
  await using store = await createStore(storageConfig(readEnv(storageEnv, stack.storageEnv)))
  for (const row of rows) {
    expect(row, 'a completed task without files').not.toMatchObject({ key: null })
    if (row.key === null) continue
    // An upload has no attempts, and an export refers to files of its inputs.
    if (!/upload|export/.test(row.operation))
      expect(row.key.split('/')[2], row.key).toMatch(new RegExp(`^${row.attempt}-`))
    expect(await measure(store, row.key), row.key).toEqual({ size: row.size, sha256: row.sha256 })
  }
}

async function measure(store: ObjectStore, key: string): Promise<{ size: number; sha256: string } | undefined> {
  const body = await store.open(key, { signal: AbortSignal.timeout(60_000) })
  if (!body) return undefined
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

/** Stops all workers gracefully and looks for leftovers on the machine. */
export async function checkNothingLeft(stack: Stack): Promise<void> {
  const workers = stack.apps('worker').filter(({ isRunning }) => isRunning)
  const codes = await Promise.all(workers.map((worker) => worker.stop('SIGTERM', 90_000)))
  expect(codes).toEqual(workers.map(() => 0))
  expect(await readdir(stack.scratchDir), 'scratch folders left').toEqual([])
  await waitFor(() => findSandboxes(stack).length === 0, { withinMs: 5_000, what: 'the end of every sandbox' })
}
