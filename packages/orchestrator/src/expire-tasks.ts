import { findOpenBefore, findUploadsBefore } from '@lathe/database'
import { failure, firstIdAt, isOpen, isUpload, type ObjectId, oldestShownAt, oldestWithFilesAt } from '@lathe/domain'
import { announce } from './after-commit.ts'
import type { Context } from './context.ts'
import { settleTasks } from './settle-tasks.ts'

const batch = 500

/** Ends what is still open when its files are gone. */
export async function expireOverdue(context: Context): Promise<number> {
  const now = context.clock.now()
  const range = { since: firstIdAt(oldestShownAt(now)), before: firstIdAt(oldestWithFilesAt(now)), limit: batch }
  return endAll(context, await findOpenBefore(context.database.pool, range))
}

/** Ends uploads that never came. */
export async function expireUploads(context: Context, timeoutMs: number): Promise<number> {
  const now = context.clock.now()
  const before = firstIdAt(new Date(now.getTime() - timeoutMs))
  const range = { since: firstIdAt(oldestShownAt(now)), before, limit: batch }
  return endAll(context, await findUploadsBefore(context.database.pool, range))
}

async function endAll(context: Context, ids: readonly ObjectId[]): Promise<number> {
  for (const id of ids) {
    const settled = await context.database.transaction((tx) =>
      settleTasks(tx, context, { roots: [id], reach: 'descendants' }, (tasks) => {
        const task = tasks.get(id)
        if (!task || !isOpen(task.status)) return []
        // Told by what the task is, not by which duty comes first: after a long silence both are due.
        const code = isUpload(task.operation) ? 'upload_timeout' : 'engine_timeout'
        return [{ id, to: 'failed', failure: failure(code) }]
      }),
    )
    if (settled) await announce(context, settled)
  }
  return ids.length
}
