const longestName = 240

/** What is to be named: a file, and the folder it is in. */
export interface NamedEntry {
  readonly name: string
  readonly folder?: string
}

/**
 * Paths for an archive's files: plain, and no two alike, so that unpacking writes every file
 * once and only where it was asked to. Repeats become `name-1.ext`, in order.
 */
export function toEntryNames(entries: readonly NamedEntry[]): readonly string[] {
  const plain = entries.map(({ folder = '', name }) => `${toPlainFolder(folder)}${toPlainName(name)}`)
  // Names that were given win over names made up here: `a.txt`, `a.txt`, `a-1.txt` keeps its last.
  const wanted = new Set(plain.map(fold))
  // Where there is a folder there can be no file.
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

/** Every folder that paths are in, with those above it. */
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

// Separators would let a name climb out of the folder it is unpacked in.
function toPlainName(name: string): string {
  const plain = cut(name.toWellFormed().replace(/[/\\:\p{Cc}]/gu, '_'))
  return /^\.*$/.test(plain) ? `file${plain.replaceAll('.', '_')}` : plain
}

// An extension tells what a file is, so it stays. What is longer than these is none.
const longestExtension = 32

function cut(name: string): string {
  if (name.length <= longestName) return name
  const dot = name.lastIndexOf('.')
  const end = name.length - dot <= longestExtension ? name.slice(dot) : ''
  return `${name.slice(0, longestName - end.length).toWellFormed()}${end}`
}

// Windows and macOS take names that differ only in case, or in how accents are written, for one.
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
