/** A file with the folder it came from. */
export interface Found {
  readonly file: File
  readonly folder: string
}

/** The files of an input; an input for folders includes each file's path. */
export function filesOf(list: FileList | null): readonly Found[] {
  return [...(list ?? [])].map((file) => ({ file, folder: folderOf(file.webkitRelativePath) }))
}

function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

/** Dropped or pasted files, including all files in folders. */
export async function filesOfTransfer(transfer: DataTransfer): Promise<readonly Found[]> {
  // The items are gone after the first await, so all are read before it.
  const entries = [...transfer.items].map((item) => ({
    entry: item.kind === 'file' ? item.webkitGetAsEntry() : null,
    file: item.kind === 'file' ? item.getAsFile() : null,
  }))
  const found = await Promise.all(
    entries.map(async ({ entry, file }) => {
      if (entry?.isDirectory) return readFolder(entry as FileSystemDirectoryEntry, '')
      return file ? [{ file, folder: '' }] : []
    }),
  )
  return found.flat()
}

async function readFolder(entry: FileSystemDirectoryEntry, above: string): Promise<readonly Found[]> {
  const folder = above === '' ? entry.name : `${above}/${entry.name}`
  const reader = entry.createReader()
  const found: Found[] = []
  // It returns a few entries per call, and none when all were returned.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return found
    for (const one of entries) {
      if (one.isDirectory) found.push(...(await readFolder(one as FileSystemDirectoryEntry, folder)))
      else if (!one.name.startsWith('.')) found.push({ file: await fileOf(one as FileSystemFileEntry), folder })
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
