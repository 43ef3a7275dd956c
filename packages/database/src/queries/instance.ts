import { type EngineFamily, type ObjectId, workerSilenceMs } from '@lathe/domain'
import { bytes } from '../bytes.ts'
import type { Executor } from '../database.ts'
import { type PlanInUse, planColumns } from './owner-plans.ts'
import { storedBytesSql } from './stored-bytes.ts'

/** An account as an administrator sees it: a person or a team. */
export interface InstanceAccount extends PlanInUse {
  readonly id: ObjectId
  readonly kind: 'person' | 'team'
  readonly name: string
  /** The email address that a person signs in with; null for teams, and for users with API keys only. */
  readonly email: string | null
  readonly isAdmin: boolean
  readonly suspendedAt: Date | null
  readonly createdAt: Date
  /** When one of its sessions or keys was last used. */
  readonly lastUsedAt: Date | null
  readonly openTasks: number
  readonly storedBytes: number
}

/** Which accounts to list. */
export interface AccountFilter {
  /** A part of a name or an email address, case-insensitive. */
  readonly search?: string
  /** Only accounts older than this one. */
  readonly before?: ObjectId
  readonly limit: number
}

const accountColumns = `o.id, case when t.owner_id is null then 'person' else 'team' end as kind,
  coalesce(t.name, u.name) as name, l.email, coalesce(l.is_admin, false) as "isAdmin", o.suspended_at as "suspendedAt",
  coalesce(t.created_at, u.created_at) as "createdAt", ${planColumns}, o.open_tasks as "openTasks",
  ${storedBytesSql('o.id')}::float8 as "storedBytes",
  greatest((select max(s.last_used_at) from sessions s where s.user_id = o.id),
           (select max(k.last_used_at) from api_keys k where k.owner_id = o.id)) as "lastUsedAt"`

// Anonymous browsers are not accounts.
const accountTables = `owners o left join users u on u.id = o.id
  left join teams t on t.owner_id = o.id and t.deleted_at is null left join logins l on l.user_id = o.id
  left join anonymous_owners a on a.owner_id = o.id`
const isAccount = `(u.id is not null or t.owner_id is not null) and a.owner_id is null`

/** Accounts, the newest first. */
export async function listAccounts(
  db: Executor,
  { search = '', before, limit }: AccountFilter,
): Promise<readonly InstanceAccount[]> {
  const { rows } = await db.query<InstanceAccount>(
    `select ${accountColumns} from ${accountTables}
      where ${isAccount} and ($1::bytea is null or o.id < $1)
        and ($2 = '' or position($2 in lower(coalesce(t.name, u.name))) > 0 or position($2 in coalesce(l.email, '')) > 0)
      order by o.id desc limit $3`,
    [before === undefined ? null : bytes(before), search.toLowerCase(), limit],
  )
  return rows
}

/** One account; undefined if there is no such account. */
export async function findInstanceAccount(db: Executor, id: ObjectId): Promise<InstanceAccount | undefined> {
  const { rows } = await db.query<InstanceAccount>(
    `select ${accountColumns} from ${accountTables} where ${isAccount} and o.id = $1`,
    [bytes(id)],
  )
  return rows[0]
}

/** Suspends an account, which also invalidates its links and upload forms, or ends its suspension. */
export async function setSuspended(tx: Executor, id: ObjectId, isSuspended: boolean): Promise<void> {
  await tx.query(
    `update owners set suspended_at = case when $2 then now() end,
            link_generation = link_generation + case when $2 then 1 else 0 end
      where id = $1 and (suspended_at is null) = $2`,
    [bytes(id), isSuspended],
  )
}

/** How many administrators can sign in. */
export async function countAdmins(tx: Executor): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from logins l join owners o on o.id = l.user_id
      where l.is_admin and o.suspended_at is null`,
  )
  return rows[0]?.count ?? 0
}

/** A running worker. */
export interface LivingWorker {
  readonly id: ObjectId
  readonly host: string
  readonly pools: readonly string[]
  readonly sandboxLevel: number
  readonly lacks: readonly EngineFamily[]
  readonly startedAt: Date
  readonly heartbeatAt: Date
  /** How many engines it can run at once; null if it runs none or is of a release that does not say so. */
  readonly engines: number | null
  /** Tasks it is running. */
  readonly tasks: number
  /** Those among them that have an engine, as of its last report. */
  readonly busyEngines: number
}

/** Workers with a recent heartbeat, the longest running first. */
export async function listWorkers(
  db: Executor,
  { limit }: { readonly limit: number },
): Promise<readonly LivingWorker[]> {
  const { rows } = await db.query<LivingWorker>(
    `select w.id, w.host, w.pools, w.sandbox_level as "sandboxLevel", w.lacks, w.started_at as "startedAt",
            w.heartbeat_at as "heartbeatAt", w.engines, r.tasks, r."busyEngines"
       from workers w cross join lateral (
         select count(*)::int as tasks,
                (count(*) filter (where t.pool = 'process' and t.engine_at <= now()))::int as "busyEngines"
           from tasks t where t.worker_id = w.id and t.status = 'processing') r
      where w.ended_at is null and w.heartbeat_at > now() - $1 * interval '1 millisecond'
      order by w.started_at, w.id limit $2`,
    [workerSilenceMs, limit],
  )
  return rows
}

/** Tasks that workers run, of one family of engines. */
export interface RunningState {
  /** Null for transfers, which need no engine. */
  readonly family: EngineFamily | null
  readonly running: number
}

/** The tasks that running workers have, by family of engines. Reads only the rows of these tasks. */
export async function countRunning(
  db: Executor,
  { most }: { readonly most: number },
): Promise<readonly RunningState[]> {
  const { rows } = await db.query<RunningState>(
    `select s.family, count(*)::int as running
       from (select case when t.pool = 'process' then t.needs end as family
               from workers w join tasks t on t.worker_id = w.id and t.status = 'processing'
              where w.ended_at is null and w.heartbeat_at > now() - $1 * interval '1 millisecond' limit $2) s
      group by 1`,
    [workerSilenceMs, most],
  )
  return rows
}

export async function findAnnouncement(db: Executor): Promise<string | null> {
  const { rows } = await db.query<{ text: string }>('select text from announcements')
  return rows[0]?.text ?? null
}

/** Sets the announcement that every page shows, or removes it. */
export async function putAnnouncement(tx: Executor, text: string | null): Promise<void> {
  if (text === null) await tx.query('delete from announcements')
  else
    await tx.query(
      `insert into announcements (text) values ($1)
       on conflict (is_current) do update set text = excluded.text, changed_at = now()`,
      [text],
    )
}
