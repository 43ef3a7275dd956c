import { findStorage, insertResumable, lockOwner, type NewResumableUpload, sumOpenUploads } from '@lathe/database'
import type { Context } from './context.ts'
import { mostStored, refuseTooMuch } from './stored-files.ts'

/**
 * Starts an upload that can be interrupted and resumed. Its parts are kept meanwhile, so the full sizes of an owner's
 * unfinished uploads count as stored. The owner is locked, so that two uploads cannot both take the last bytes.
 */
export async function startResumable(context: Context, upload: NewResumableUpload): Promise<readonly string[]> {
  return context.database.transaction(async (tx) => {
    await lockOwner(tx, upload.ownerId)
    const { used, quota } = await findStorage(tx, upload.ownerId)
    const most = mostStored(context.limits, quota)
    if (Number.isFinite(most)) {
      const open = await sumOpenUploads(tx, upload.ownerId, upload.taskId)
      refuseTooMuch({ used: used + open, most }, upload.length)
    }
    return insertResumable(tx, upload)
  })
}
