import type { Item } from '../item.ts'

const longestPath = 1000
const longestPart = 255

/** A folder name that the service accepts in a ZIP: some systems allow more characters than others. */
export function toArchiveFolder(folder: string): string {
  const parts = folder
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) =>
      part
        .toWellFormed()
        .replace(/[\\\p{Cc}]/gu, '_')
        .slice(0, longestPart)
        .toWellFormed(),
    )
  // Folders that are too deep are cut to the allowed length.
  while (parts.join('/').length > longestPath) parts.pop()
  return parts.join('/')
}

/** The folders of results in a ZIP; empty if all are at the top. */
export function archiveFolders(items: readonly Item[]): { readonly folders?: readonly string[] } {
  const folders = items.map(({ folder }) => toArchiveFolder(folder))
  return folders.some((folder) => folder !== '') ? { folders } : {}
}
