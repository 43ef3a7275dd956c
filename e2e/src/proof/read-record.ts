import { readEnv } from '@lathe/runtime'
import { createStore, type ObjectStore, storageConfig, storageEnv } from '@lathe/storage'
import type { Stack } from '@lathe/testing'
import { inParallel } from '../command.ts'
import type { EventRow, FileRow, FinalRecord, JobRow, OwnerRow, StoredObject, TaskRow } from './final-record.ts'
import { sha256 } from './load/recording-client.ts'

const readsAtOnce = 16

/** Reads the final state once all work has ended: the tables, and every byte in the store. */
export async function readRecord(
  { database, storageEnv: env }: Stack,
  mostUnreferencedMs: number,
): Promise<FinalRecord> {
  const all = async <Row extends object>(sql: string) => (await database.pool.query<Row>(sql)).rows
  await using store = await createStore(storageConfig(readEnv(storageEnv, env)))
  const owners = await all<OwnerRow>(
    `select id, slots_used as "slotsUsed", backlog, used_ms::float8 as "usedMs",
            (select coalesce(sum(s.bytes), 0)::float8 from stored_bytes s
              where s.owner_id = o.id and s.expires_at > now()) as "bytesCounted",
            (select coalesce(sum(f.size), 0)::float8 from files f join tasks t on t.id = f.task_id
              where t.owner_id = o.id and f.deleted_at is null
                and date_bin('5 minutes', f.expires_at, 'epoch') + interval '5 minutes' > now()) as "bytesStored",
            (select coalesce(sum(u.completed + u.failed + u.canceled), 0)::float8 from usage u
              where u.owner_id = o.id) as "endsCounted",
            (select count(*)::float8 from tasks t
              where t.owner_id = o.id and t.status not in ('created', 'processing')) as ends
       from owners o`,
  )
  const jobs = await all<JobRow>(
    `select id, tag as marker, status, deleted_at is not null as deleted from jobs order by id`,
  )
  const tasks = await all<TaskRow>(
    `select id, owner_id as "ownerId", job_id as "jobId", payload->>'filename' as marker, name, operation, status, reason, detail,
            attempt, worker_deaths as "workerDeaths", extract(epoch from ended_at - started_at)::float8 * 1000 as "workMs",
            (times->>'engineMs')::float8 as "engineMs",
            array(select encode(id, 'hex') from unnest(depends_on) as id) as "dependsOn"
       from tasks order by id`,
  )
  const events = await all<EventRow>(
    `select subject_id as subject, seq, type, task_id as task from events order by subject_id, seq`,
  )
  const files = await all<Omit<FileRow, 'stored'>>(
    `select task_id as task, key, encode(sha256, 'hex') as sha256, deleted_at is not null as deleted
       from files order by task_id, n`,
  )
  const stored = await inParallel(files, readsAtOnce, async ({ key, deleted }) => (deleted ? null : hashOf(store, key)))
  const objects: StoredObject[] = []
  for (const prefix of await store.listPrefixes()) {
    for await (const page of store.list(`${prefix}/`))
      objects.push(...page.map(({ key, writtenAt }) => ({ key, ageMs: Date.now() - writtenAt.getTime() })))
  }
  return {
    owners,
    jobs,
    tasks,
    events,
    files: files.map((file, i) => ({ ...file, stored: stored[i] ?? null })),
    objects,
    mostUnreferencedMs,
  }
}

async function hashOf(store: ObjectStore, key: string): Promise<string | null> {
  const body = await store.open(key, { signal: AbortSignal.timeout(60_000) })
  if (!body) return null
  const chunks: Buffer[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk)
  return sha256(Buffer.concat(chunks))
}
