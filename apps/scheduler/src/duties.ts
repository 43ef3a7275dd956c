import {
  type Database,
  deleteClosedAccounts,
  deleteClosedTeams,
  deleteIdleAnonymous,
  deleteResumables,
  dropExpiredPartitions,
  type Executor,
  endResumable,
  ensurePartitions,
  eraseDeliveriesBefore,
  findEndedUploads,
  findFilesToErase,
  forgetAudit,
  forgetDailyCounts,
  forgetDeviceCodes,
  forgetInvitations,
  forgetJobTokens,
  forgetOidcAttempts,
  forgetPasskeyChallenges,
  forgetPreviews,
  forgetRequests,
  forgetResumables,
  forgetSessions,
  forgetStoredBytes,
  forgetUsage,
  forgetWorkers,
  markErased,
  measurePairRates,
} from '@lathe/database'
import { firstId, firstIdAt, oldestShownAt, retention } from '@lathe/domain'
import type { Caretaker } from '@lathe/orchestrator'
import { type Clock, forEachPageSafely, forEachSafely, type Metrics, type Sealer } from '@lathe/runtime'
import { expiredPrefixes, isExpiredKey, type ObjectStore, ObjectsNotDeleted } from '@lathe/storage'
import { createUnreferencedObjects } from './unreferenced-objects.ts'

/** A periodic duty; safe to repeat, and to interrupt at any point. */
export interface Duty {
  readonly name: string
  readonly everyMs: number
  /** Returns how much there was to do. */
  run(): Promise<number>
}

interface DutyParts {
  readonly caretaker: Caretaker
  readonly database: Database
  readonly store: ObjectStore
  readonly clock: Clock
  readonly metrics: Metrics
  readonly sealer: Sealer
  readonly uploadTimeoutMs: number
  /** The age from which unreferenced objects are deleted. */
  readonly unreferencedMs: number
  /** How long the owner of an anonymous browser is kept without use. */
  readonly anonymousIdleS: number
  /** How long entries of the audit log are kept. */
  readonly auditMs: number
  /** Whether PostgreSQL has been up long enough to declare silent workers dead. */
  isSteady(): Promise<boolean>
  /** Whether the clock is trusted: nothing is ended or erased by a wrong one. */
  isClockTrusted(): Promise<boolean>
}

/** All periodic duties, and how often they run. */
export function createDuties(parts: DutyParts): readonly Duty[] {
  const { caretaker, database, store, clock, metrics } = parts
  const unreferenced = createUnreferencedObjects({ database, store, clock, minAgeMs: parts.unreferencedMs })

  /** A duty that cannot be undone if the clock was wrong. */
  function byTheClock(name: string, everyMs: number, run: () => Promise<number>): Duty {
    return {
      name,
      everyMs,
      async run() {
        if (await parts.isClockTrusted()) return run()
        metrics.erasuresRefused.inc({ duty: name })
        return 0
      },
    }
  }

  return [
    { name: 'requeue', everyMs: 2_000, run: () => caretaker.requeueUnclaimed() },
    {
      name: 'recover',
      everyMs: 2_000,
      run: async () => ((await parts.isSteady()) ? caretaker.recoverFromTheDead() : 0),
    },
    { name: 'admit', everyMs: 2_000, run: () => caretaker.admitBacklogs() },
    { name: 'recount', everyMs: 60_000, run: () => caretaker.recountOwners() },
    byTheClock('expire-uploads', 10_000, () => caretaker.expireUploads(parts.uploadTimeoutMs)),
    byTheClock('expire-tasks', 10_000, () => caretaker.expireOverdue()),
    // Only finds something after a new key was added as the first.
    { name: 'reseal-secrets', everyMs: 600_000, run: () => caretaker.resealSecrets(parts.sealer) },
    { name: 'erase-deleted', everyMs: 5_000, run: () => eraseDeleted(parts) },
    byTheClock('expire-files', 30_000, () => expireFiles(store, clock, metrics)),
    byTheClock('remove-unfinished', 600_000, () => store.removeUnfinished((key) => isExpiredKey(key, clock.now()))),
    byTheClock('erase-unreferenced', 20_000, async () => {
      const count = await unreferenced.erase()
      metrics.expired.inc({ kind: 'unreferenced' }, count)
      return count
    }),
    byTheClock('forget-requests', 10_000, () => forgetOldRequests(parts)),
    { name: 'end-uploads', everyMs: 60_000, run: () => endUploads(parts) },
    byTheClock('forget-uploads', 300_000, () => forgetResumables(database.pool, clock.now())),
    byTheClock('forget-stored-bytes', 300_000, () => forgetStoredBytes(database.pool, clock.now())),
    byTheClock('forget-job-tokens', 300_000, () => forgetJobTokens(database.pool, clock.now())),
    byTheClock('forget-previews', 60_000, () =>
      forgetPreviews(database.pool, { before: oldestShownAt(clock.now()), limit: forgetBatch }),
    ),
    byTheClock('forget-usage', 3_600_000, () =>
      forgetUsage(database.pool, new Date(clock.now().getTime() - retention.usageMs)),
    ),
    // Checks more often than it measures: another process may have measured in between.
    { name: 'measure-rates', everyMs: 300_000, run: () => measurePairRates(database) },
    byTheClock('erase-deliveries', 10_000, () => eraseOldDeliveries(parts)),
    { name: 'forget-sessions', everyMs: 60_000, run: () => forgetSessions(database.pool, forgetBatch) },
    { name: 'forget-challenges', everyMs: 60_000, run: () => forgetPasskeyChallenges(database.pool, forgetBatch) },
    { name: 'forget-oidc-attempts', everyMs: 60_000, run: () => forgetOidcAttempts(database.pool, forgetBatch) },
    { name: 'forget-device-codes', everyMs: 60_000, run: () => forgetDeviceCodes(database.pool, forgetBatch) },
    { name: 'forget-daily-counts', everyMs: 3_600_000, run: () => forgetDailyCounts(database.pool, forgetBatch) },
    { name: 'forget-invitations', everyMs: 60_000, run: () => forgetInvitations(database.pool, forgetBatch) },
    byTheClock('forget-audit', 300_000, () => forgetOldAudit(parts)),
    byTheClock('delete-anonymous', 60_000, () => deleteAnonymous(parts)),
    byTheClock('delete-teams', 60_000, () =>
      deleteClosedTeams(database.pool, { closedS: closedOwnerS, limit: ownerBatch }),
    ),
    { name: 'delete-tasks-of-closed', everyMs: 5_000, run: () => caretaker.deleteTasksOfClosed() },
    byTheClock('delete-accounts', 60_000, () =>
      deleteClosedAccounts(database.pool, { closedS: closedOwnerS, limit: ownerBatch }),
    ),
    { name: 'make-partitions', everyMs: 60_000, run: () => ensurePartitions(database.pool, clock.now()) },
    byTheClock('drop-partitions', 60_000, () => dropPartitions(parts)),
    {
      name: 'forget-workers',
      everyMs: 3_600_000,
      run: async () => {
        await forgetWorkers(database.pool)
        return 0
      },
    },
  ]
}

const eraseBatch = 500
const endBatch = 100
const forgetBatch = 5_000
// Each deletes rows of several tables.
const ownerBatch = 500
// Longer than records are kept: all tasks of a deleted team or account are gone by then.
const closedOwnerS = 25 * 3600

/** Erases files of deleted tasks that the deleting request could not erase. */
async function eraseDeleted({ database, store, clock }: DutyParts): Promise<number> {
  type File = Awaited<ReturnType<typeof findFilesToErase>>[number]
  const oldest = { taskId: firstIdAt(oldestShownAt(clock.now())), n: -1 }
  const erase = async (files: readonly File[]) => {
    const keys = files.map(({ key }) => key)
    const error = await store.delete(keys).catch((cause: unknown) => cause)
    if (error !== undefined && !(error instanceof ObjectsNotDeleted)) throw error
    const left = new Set(error?.keys)
    const erased = keys.filter((key) => !left.has(key))
    await markErased(database.pool, [...new Set(files.map(({ taskId }) => taskId))], erased)
    if (error) throw error
  }
  return forEachPageSafely<File>(
    (after = { ...oldest, key: '' }) => findFilesToErase(database.pool, { after, limit: eraseBatch }),
    erase,
  )
}

/**
 * Erases the parts of uploads that cannot continue: their task was canceled, deleted or timed out, or the api process
 * died at the end.
 */
async function endUploads({ database, store }: DutyParts): Promise<number> {
  type Ended = Awaited<ReturnType<typeof findEndedUploads>>[number]
  const end = async ({ taskId, isCompleted, keys }: Ended) => {
    await store.delete(keys)
    if (isCompleted) await endResumable(database.pool, taskId)
    else await deleteResumables(database.pool, [taskId])
  }
  return forEachPageSafely<Ended>(
    (last) => findEndedUploads(database.pool, { after: last?.taskId ?? firstId, limit: endBatch }),
    (ended) => forEachSafely(ended, end),
  )
}

/** Repeats work in batches until one is not full: whatever arrives in a second is also gone in time. */
async function untilFewer(batch: number, work: () => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const count = await work()
    total += count
    if (count < batch) return total
  }
}

/** Deletes expired entries of the audit log. */
async function forgetOldAudit({ database, clock, auditMs }: DutyParts): Promise<number> {
  return forgetAudit(database.pool, { before: new Date(clock.now().getTime() - auditMs), limit: forgetBatch })
}

/** Deletes anonymous owners that were not used for long, with all they own. Their tasks are gone by then. */
async function deleteAnonymous({ database, anonymousIdleS }: DutyParts): Promise<number> {
  return deleteIdleAnonymous(database.pool, { idleS: anonymousIdleS, limit: ownerBatch })
}

/** Deletes Idempotency-Keys that are older than 24 hours. */
async function forgetOldRequests({ database, clock }: DutyParts): Promise<number> {
  const before = oldestShownAt(clock.now())
  return untilFewer(forgetBatch, () => forgetRequests(database.pool, { before, limit: forgetBatch }))
}

/**
 * Erases the contents of deliveries for tasks and jobs that are older than 24 hours; the delivery log is kept longer.
 */
async function eraseOldDeliveries({ database, clock }: DutyParts): Promise<number> {
  const before = firstIdAt(oldestShownAt(clock.now()))
  return untilFewer(forgetBatch, () => eraseDeliveriesBefore(database.pool, { before, limit: forgetBatch }))
}

/** Deletes every object that is older than 4 hours, one five-minute prefix at a time. */
async function expireFiles(store: ObjectStore, clock: Clock, metrics: Metrics): Promise<number> {
  const expired = expiredPrefixes(await store.listPrefixes(), clock.now())
  return forEachSafely(expired, async (prefix) => {
    await store.deletePrefix(prefix)
    metrics.expired.inc({ kind: 'prefix' })
  })
}

// Detaching waits for the longest reader.
const dropTimeoutMs = 60_000

async function dropPartitions({ database, clock, metrics }: DutyParts): Promise<number> {
  const drop = (connection: Executor) => dropExpiredPartitions(connection, clock.now())
  const { dropped, held } = await database.outsideTransactions(drop, { timeoutMs: dropTimeoutMs })
  metrics.expired.inc({ kind: 'partition' }, dropped.length)
  // After a long outage this is so until the overdue tasks have ended. If it stays, one of them cannot be ended.
  if (held.length > 0) throw new Error(`expired partitions are kept because they have open tasks: ${held.join(', ')}`)
  return dropped.length
}
