import { type ObjectId, retention } from '@lathe/domain'
import { forEachSafely } from '@lathe/runtime'
import type { Executor } from './database.ts'
import { sqlState } from './database.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long before their use partitions are created: the scheduler may be down for as long. */
const aheadMs = 6 * hourMs

const hourly = ['jobs', 'tasks', 'task_inputs', 'files', 'events'] as const
const daily = ['idempotency_keys', 'crashed_inputs'] as const
/** By id like the hourly ones, but few and kept longer: every additional partition is one more to lock and search. */
const dailyById = ['job_webhooks', 'webhook_deliveries'] as const
const partitioned: readonly string[] = [...hourly, ...daily, ...dailyById]

interface Partition {
  readonly parent: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly endsAt: Date
}

/** Creates every partition that new records will need. Safe to repeat and to run concurrently. */
export async function ensurePartitions(db: Executor, now: Date): Promise<number> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid`,
  )
  const known = new Set(rows.map(({ name }) => name))
  const missing = planPartitions(now).filter(({ name }) => !known.has(name))
  return forEachSafely(missing, (partition) => attach(db, partition))
}

/** For how long from now on every table has partitions for new records; in milliseconds, negative if one is missing. */
export async function partitionsAheadMs(db: Executor, now: Date): Promise<number> {
  const { rows } = await db.query<{ newest: string }>(
    `select max(right(c.relname, 10)) as newest
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relkind = 'p' and p.relname = any($1) group by p.relname`,
    [[...hourly]],
  )
  if (rows.length < hourly.length) return 0
  const ends = rows.map(({ newest }) => Date.parse(newest.replace(/(....)(..)(..)(..)/, '$1-$2-$3T$4:00Z')) + hourMs)
  return Math.min(...ends) - now.getTime()
}

/**
 * The hour in the names of the partitions of an id: `tasks_p${hourOf(id)}` contains the task, and `events_p`, `files_p`
 * and `task_inputs_p` the rows under its id. A statement that names its partition is planned once per connection. For
 * the whole table PostgreSQL plans it every time, which takes longer than the statement itself.
 */
export function hourOf(id: ObjectId): string {
  return hourName(Number.parseInt(id.slice(0, 8), 16) * 1000)
}

/** Whether a statement failed because its partition does not exist: everything in it has expired. */
export function isPartitionGone(error: unknown): boolean {
  return sqlState(error) === '42P01'
}

/** The partitions that must exist at a time: from the hour before it to some hours ahead. */
export function planPartitions(now: Date): readonly Partition[] {
  const hours = steps(now.getTime() - hourMs, now.getTime() + aheadMs, hourMs)
  const days = steps(now.getTime() - hourMs, now.getTime() + dayMs, dayMs)
  return [
    ...hourly.flatMap((parent) => hours.map((start) => hourPartition(parent, start))),
    ...daily.flatMap((parent) => days.map((start) => dayPartition(parent, start))),
    ...dailyById.flatMap((parent) => days.map((start) => dayPartition(parent, start, idBound))),
  ]
}

/** What became of partitions in which every record has expired. */
interface Dropping {
  readonly dropped: readonly string[]
  /** Hours with open tasks, as in the names of partitions: all their tables are kept until these tasks have ended. */
  readonly held: readonly string[]
}

/**
 * Drops partitions in which every record has expired. An hour with open tasks is kept: whoever ends them also gives back
 * what their owners' counters hold for them. Detaching concurrently neither waits for readers nor blocks them; a detach
 * that a crash interrupted is finished first. It cannot run inside a transaction.
 */
export async function dropExpiredPartitions(db: Executor, now: Date): Promise<Dropping> {
  const { rows } = await db.query<{ parent: string; name: string; pending: boolean }>(
    `select p.relname as parent, c.relname as name, i.inhdetachpending as pending
       from pg_inherits i
       join pg_class c on c.oid = i.inhrelid
       join pg_class p on p.oid = i.inhparent
      where p.relkind = 'p' and p.relname = any($1)
      order by c.relname`,
    [partitioned],
  )
  const old = rows.filter(({ name }) => hasExpired(name, now))
  const held = await hoursWithOpenTasks(
    db,
    old.flatMap(({ parent, name, pending }) => (parent === 'tasks' && !pending ? [name] : [])),
  )
  const expired = old.filter(({ parent, name }) => !isHourly(parent) || !held.includes(name.slice(-10)))
  const detach = ({ parent, name, pending }: (typeof expired)[number]) =>
    db.query(`alter table ${parent} detach partition ${name} ${pending ? 'finalize' : 'concurrently'}`)
  const dropAll = async () => forEachSafely(await detachedLeftovers(db, now), (name) => db.query(`drop table ${name}`))
  // One that a long reader holds does not keep the others, nor what was detached before.
  await forEachSafely([() => forEachSafely(expired, detach), dropAll], (step) => step())
  return { dropped: expired.map(({ name }) => name), held }
}

const isHourly = (parent: string) => (hourly as readonly string[]).includes(parent)

async function hoursWithOpenTasks(db: Executor, partitions: readonly string[]): Promise<readonly string[]> {
  const held: string[] = []
  for (const name of partitions) {
    const { rowCount } = await db.query(`select from ${name} where status in ('created', 'processing') limit 1`)
    if (rowCount) held.push(name.slice(-10))
  }
  return held
}

// A crash between detach and drop leaves a plain table with a partition's name.
async function detachedLeftovers(db: Executor, now: Date): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c
      where c.relkind = 'r' and not c.relispartition and c.relname ~ $1
        and c.relnamespace = current_schema()::regnamespace
      order by c.relname`,
    [`^(${partitioned.join('|')})_p[0-9]+$`],
  )
  return rows.map(({ name }) => name).filter((name) => hasExpired(name, now))
}

// Attaching a finished table takes 4 ms during a long read, where `create table ... partition of` waits until it ends.
async function attach(db: Executor, { parent, name, from, to }: Partition): Promise<void> {
  try {
    await db.query(`create table if not exists ${name} (like ${parent} including all)`)
    await db.query(`alter table ${parent} attach partition ${name} for values from (${from}) to (${to})`)
  } catch (error) {
    if (!madeByAnother.has(sqlState(error) ?? '')) throw error
  }
}

// Another process created or attached it between our check and our attempt.
const madeByAnother = new Set(['42P07', '42710', '42809', '23505', '42P17'])

function hourPartition(parent: string, start: number): Partition {
  const name = `${parent}_p${hourName(start)}`
  return { parent, name, from: idBound(start), to: idBound(start + hourMs), endsAt: new Date(start + hourMs) }
}

function hourName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 13).replace(/\D/g, '')
}

function dayPartition(parent: string, start: number, bound = dayBound): Partition {
  const name = `${parent}_p${dayOf(start).replace(/\D/g, '')}`
  return { parent, name, from: bound(start), to: bound(start + dayMs), endsAt: new Date(start + dayMs) }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function dayBound(ms: number): string {
  return `'${dayOf(ms)}'`
}

/** Ids start with their second. */
function idBound(ms: number): string {
  const second = Math.floor(ms / 1000).toString(16)
  return `'\\x${second.padStart(8, '0')}'`
}

function steps(from: number, to: number, size: number): readonly number[] {
  const first = Math.floor(from / size) * size
  return Array.from({ length: Math.floor((to - first) / size) + 1 }, (_, i) => first + i * size)
}

/** Whether, by its name, everything in a partition is older than it is kept: 24 hours, or days for deliveries. */
export function hasExpired(name: string, now: Date): boolean {
  const parts = /^(\w+)_p(\d{8})(\d{2})?$/.exec(name)
  if (!parts) return false
  const [, parent = '', day = '', hour] = parts
  const keptMs = (dailyById as readonly string[]).includes(parent) ? retention.deliveryMs : retention.recordMs
  const start = Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${hour ?? '00'}:00:00Z`)
  return start + (hour ? hourMs : dayMs) + keptMs < now.getTime()
}
