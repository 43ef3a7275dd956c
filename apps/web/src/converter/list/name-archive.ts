import type { Item, Kind } from '../item.ts'
import { toArchiveFolder } from './archive-folders.ts'

// The service accepts 255 characters, and a number and the extension follow.
const longest = 200

/** The name of a ZIP of results, without its extension: that of their folder, else that of what they all are. */
export function nameArchive(items: readonly Item[], nameOf: (kind: Kind | undefined) => string): string {
  const folders = new Set(items.map(({ folder }) => toArchiveFolder(folder).split('/')[0] ?? ''))
  const [folder = ''] = folders
  if (folders.size === 1 && folder !== '') return folder.slice(0, longest).toWellFormed()
  const kinds = new Set(items.map(({ kind }) => kind))
  return nameOf(kinds.size === 1 ? [...kinds][0] : undefined)
}
