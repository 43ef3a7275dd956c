import { type Executor, findOpenBefore, findUploadsBefore, type Overdue } from '@lathe/database'
import { failure, firstId, firstIdAt, isOpen, type ObjectId, oldestWithFilesAt } from '@lathe/domain'
import { isUpload } from '@lathe/operations'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { settleTasks } from './settle-tasks.ts'

const page = 1_000
/** Tasks that end in one transaction: enough to be fast, few enough to lock an owner only for milliseconds. */
const together = 50

/** Ends tasks that are still open when their files have expired. Returns how many. */
export async function expireOverdue(context: Context): Promise<number> {
  return endBefore(context, findOpenBefore, oldestWithFilesAt(context.clock.now()))
}

/** Ends uploads that never arrived or stopped. Returns how many. */
export async function expireUploads(context: Context, timeoutMs: number): Promise<number> {
  const movedBefore = new Date(context.clock.now().getTime() - timeoutMs)
  return endBefore(context, (db, range) => findUploadsBefore(db, { ...range, movedBefore }), movedBefore)
}

type Find = (db: Executor, range: { since: ObjectId; before: ObjectId; limit: number }) => Promise<readonly Overdue[]>

/**
 * Goes through all of them, page by page: one that cannot be ended must not block the others. Begins with the oldest
 * that exist: the installation may have been off for days, or its database may come from an old backup.
 */
async function endBefore(context: Context, find: Find, time: Date): Promise<number> {
  const { pool } = context.database
  const before = firstIdAt(time)
  let ended = 0
  let since = firstId
  for (;;) {
    const found = await find(pool, { since, before, limit: page })
    const last = found.at(-1)
    if (last === undefined) return ended
    const next = idAfter(last.id)
    // Waiting tasks end with their inputs. Whatever remains after this, also because of an error, is ended one by one.
    for (const ids of toGroups(found.filter(({ isWaiting }) => !isWaiting))) await end(context, ids).catch(() => {})
    const left = await find(pool, { since, before: next, limit: page })
    let failed = 0
    for (const { id } of left) if (!(await endAlone(context, id))) failed += 1
    ended += found.length - failed
    if (found.length < page) return ended
    since = next
  }
}

/** Tasks of one owner that can end together: those of one job, or some outside any job. */
function toGroups(found: readonly Overdue[]): readonly (readonly ObjectId[])[] {
  const byPlace = Map.groupBy(found, ({ ownerId, jobId }) => `${ownerId} ${jobId}`)
  return [...byPlace.values()].flatMap((tasks) => {
    const ids = tasks.map(({ id }) => id)
    const count = Math.ceil(ids.length / together)
    return Array.from({ length: count }, (_, n) => ids.slice(n * together, (n + 1) * together))
  })
}

async function endAlone(context: Context, taskId: ObjectId): Promise<boolean> {
  try {
    await end(context, [taskId])
    return true
  } catch (err) {
    context.log.error({ err, taskId }, 'overdue task not failed')
    return false
  }
}

async function end(context: Context, ids: readonly ObjectId[]): Promise<void> {
  const settled = await context.database.transaction((tx) =>
    settleTasks(tx, context, { roots: ids, reach: 'descendants' }, (tasks) =>
      ids.flatMap((id) => {
        const task = tasks.get(id)
        if (!task || !isOpen(task.status)) return []
        // The task decides, not the duty that finds it first: after a long outage both are due.
        const code = isUpload(task.operation) ? 'upload_timeout' : 'engine_timeout'
        return [{ id, to: 'failed' as const, failure: failure(code) }]
      }),
    ),
  )
  if (settled) await announce(context, settled)
}

function idAfter(id: ObjectId): ObjectId {
  return (BigInt(`0x${id}`) + 1n).toString(16).padStart(id.length, '0') as ObjectId
}
