import { loadSettings } from '../api/settings.ts'
import { newId } from '../lib/new-id.ts'
import type { Found } from './found-files.ts'
import type { Item } from './item.ts'
import { nameOfAddress, readName } from './read-name.ts'
import { addItems, blobs } from './state.ts'

// More rows than a user reads; the rest can be added once these are done.
const mostItems = 5000

let latest = 0

/** A unique timestamp for each file, which keeps the order after a reload. */
export function nextMoment(): number {
  latest = Math.max(Date.now(), latest + 1)
  return latest
}

/** Adds files to the list. */
export async function addFiles(found: readonly Found[]): Promise<void> {
  const { maxFileBytes } = await loadSettings().catch(() => ({ maxFileBytes: Number.POSITIVE_INFINITY }))
  const added = found.slice(0, mostItems).map(({ file, folder }): Item => {
    const id = newId()
    blobs.set(id, file)
    const { name, size } = file
    const item = { id, addedAt: nextMoment(), name, folder, size, ...readName(name) }
    if (size <= maxFileBytes) return { ...item, stage: 'staged' }
    return { ...item, stage: 'failed', trouble: { code: 'file_too_large', msg: '' } }
  })
  addItems(added)
}

/** Adds a file that the service fetches itself. */
export function addAddress(url: string): void {
  const name = nameOfAddress(url)
  const id = newId()
  addItems([{ id, addedAt: nextMoment(), name, folder: '', size: 0, url, ...readName(name), stage: 'staged' }])
}
