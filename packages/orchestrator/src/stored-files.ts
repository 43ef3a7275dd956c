import { type Executor, findStorage, insertFiles, type NewFile } from '@lathe/database'
import { isOutOfStorage, type ObjectId, outOfStorageText, Problem, type StorageUse } from '@lathe/domain'
import type { Context } from './context.ts'

/** Thrown inside a transaction whose files exceed what the owner may store: nothing of it is written. */
export class OutOfStorage extends Error {
  override readonly name = 'OutOfStorage'

  constructor(use: StorageUse, added: number) {
    super(outOfStorageText(use, added))
  }
}

interface NamedFiles {
  readonly ownerId: ObjectId
  readonly taskId: ObjectId
  readonly createdAt: Date
  readonly files: readonly NewFile[]
}

/**
 * Records the files of a task that completes. The caller has locked the owner, so the stored bytes cannot change
 * meanwhile.
 */
export async function nameFiles(tx: Executor, { limits }: Pick<Context, 'limits'>, named: NamedFiles): Promise<void> {
  if (named.files.length === 0) return
  const { used, quota } = await insertFiles(tx, named)
  const [use, added] = [{ used, most: mostStored(limits, quota) }, sizeOf(named.files)]
  if (isOutOfStorage(use, added)) throw new OutOfStorage(use, added)
}

/** Rejects an upload that the owner may not store. The final check is made when the file has arrived. */
export async function requireStorage({ database, limits }: Context, ownerId: ObjectId, added: number): Promise<void> {
  const { used, quota } = await findStorage(database.pool, ownerId)
  refuseTooMuch({ used, most: mostStored(limits, quota) }, added)
}

/** Throws if an owner may not store this many more bytes. */
export function refuseTooMuch(use: StorageUse, added: number): void {
  if (isOutOfStorage(use, added)) throw new Problem('out_of_storage', { msg: outOfStorageText(use, added) })
}

/** How many bytes an owner may store by its own quota or else by the setting; infinity without a limit. */
export function mostStored(limits: Context['limits'], quota: number | null): number {
  return (quota ?? limits?.storedBytesPerOwner) || Number.POSITIVE_INFINITY
}

function sizeOf(files: readonly NewFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0)
}
