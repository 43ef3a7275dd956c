const longestName = 240

/** An entry to name: a file, and its folder. */
export interface NamedEntry {
  readonly name: string
  readonly folder?: string
}

/**
 * Paths for the files of an archive: plain and unique, so that unpacking writes every file once, and only below the
 * chosen folder. Repeated names become `name-1.ext`, in order.
 */
export function toEntryNames(entries: readonly NamedEntry[]): readonly string[] {
  const plain = entries.map(({ folder = '', name }) => `${toPlainFolder(folder)}${toPlainName(name)}`)
  // Given names win over generated ones: in `a.txt`, `a.txt`, `a-1.txt` the last one keeps its name.
  const wanted = new Set(plain.map(fold))
  // A file cannot have the path of a folder.
  const taken = foldersOf(plain)
  const nextNumber = new Map<string, number>()
  for (const folder of taken) wanted.add(folder)
  return plain.map((name) => {
    const free = taken.has(fold(name)) ? numbered(name, wanted, nextNumber) : name
    taken.add(fold(free))
    wanted.add(fold(free))
    return free
  })
}

function toPlainFolder(folder: string): string {
  const parts = folder.split('/').filter((part) => part !== '')
  return parts.map((part) => `${toPlainName(part)}/`).join('')
}

/** All folders in the paths, with their parents. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>()
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = fold(path.slice(0, end))
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

function numbered(name: string, wanted: ReadonlySet<string>, nextNumber: Map<string, number>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ext] = dot > name.lastIndexOf('/') + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  // Remembered per name: a thousand equal names cost a thousand steps, not half a million.
  for (let n = nextNumber.get(fold(name)) ?? 1; ; n++) {
    const candidate = `${stem}-${n}${ext}`
    if (wanted.has(fold(candidate))) continue
    nextNumber.set(fold(name), n + 1)
    return candidate
  }
}

// Separators would let a name escape from the folder it is unpacked in.
function toPlainName(name: string): string {
  const plain = cut(name.toWellFormed().replace(/[/\\:\p{Cc}]/gu, '_'))
  return /^\.*$/.test(plain) ? `file${plain.replaceAll('.', '_')}` : plain
}

// The extension shows the format of a file, so it stays. A longer suffix does not count as an extension.
const longestExtension = 32

function cut(name: string): string {
  if (name.length <= longestName) return name
  const dot = name.lastIndexOf('.')
  const end = name.length - dot <= longestExtension ? name.slice(dot) : ''
  return `${name.slice(0, longestName - end.length).toWellFormed()}${end}`
}

// Windows and macOS treat names that differ only in case, or in how accents are encoded, as the same.
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
