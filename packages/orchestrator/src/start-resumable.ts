import { findStoredBytes, insertResumable, lockOwner, type NewResumableUpload, sumOpenUploads } from '@lathe/database'
import type { Context } from './context.ts'
import { mostStored, refuseTooMuch } from './stored-files.ts'

/**
 * Starts an upload that may break off and go on. Its parts stay while nobody sends, so what the unfinished uploads of an
 * owner will take counts as stored; the owner is held, so that two of them cannot both take the last bytes.
 */
export async function startResumable(context: Context, upload: NewResumableUpload): Promise<readonly string[]> {
  return context.database.transaction(async (tx) => {
    await lockOwner(tx, upload.ownerId)
    const most = mostStored(context.limits)
    if (Number.isFinite(most)) {
      const stored = await findStoredBytes(tx, upload.ownerId)
      const open = await sumOpenUploads(tx, upload.ownerId, upload.taskId)
      refuseTooMuch({ used: stored + open, most }, upload.length)
    }
    return insertResumable(tx, upload)
  })
}
