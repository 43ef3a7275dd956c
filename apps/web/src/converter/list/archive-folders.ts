import type { Item } from '../item.ts'

const longestPath = 1000
const longestPart = 255

/** A folder as the service takes it in a ZIP: a system may allow more in a name than others do. */
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
  // What is too deep comes to stand as deep as it may.
  while (parts.join('/').length > longestPath) parts.pop()
  return parts.join('/')
}

/** The folders of some results in a ZIP of them, or nothing where all are at the top. */
export function archiveFolders(items: readonly Item[]): { readonly folders?: readonly string[] } {
  const folders = items.map(({ folder }) => toArchiveFolder(folder))
  return folders.some((folder) => folder !== '') ? { folders } : {}
}
