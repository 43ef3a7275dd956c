const longestName = 240

/**
 * Names for an archive's files: plain, and no two alike, so that unpacking writes every file
 * once and only where it was asked to. Repeats become `name-1.ext`, in order.
 */
export function toEntryNames(names: readonly string[]): readonly string[] {
  const plain = names.map(toPlainName)
  // Names that were given win over names made up here: `a.txt`, `a.txt`, `a-1.txt` keeps its last.
  const wanted = new Set(plain.map(fold))
  const taken = new Set<string>()
  const nextNumber = new Map<string, number>()
  return plain.map((name) => {
    const free = taken.has(fold(name)) ? numbered(name, wanted, nextNumber) : name
    taken.add(fold(free))
    wanted.add(fold(free))
    return free
  })
}

function numbered(name: string, wanted: ReadonlySet<string>, nextNumber: Map<string, number>): string {
  const dot = name.lastIndexOf('.')
  const [stem, ext] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
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
  const plain = name
    .toWellFormed()
    .replace(/[/\\:\p{Cc}]/gu, '_')
    .slice(0, longestName)
    .toWellFormed()
  return /^\.*$/.test(plain) ? `file${plain.replaceAll('.', '_')}` : plain
}

// Windows and macOS take names that differ only in case, or in how accents are written, for one.
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
