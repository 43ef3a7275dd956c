import { hasText, indexOfText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import type { FileAccess, Looking } from './looking.ts'
import { readZipDirectory, readZipText, type ZipEntry } from './zip-directory.ts'
import { kindOfNames } from './zip-names.ts'
import { extOfAppleIndex, extOfContentTypes, extOfManifest, extOfMimetype } from './zip-types.ts'

// Office programs write the list of parts and the main part among the first few entries.
const maxEntriesRead = 100

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Whether a file is a zip with at least one entry. */
export function isZip(head: Uint8Array): boolean {
  return hasText(head, 0, 'PK\x03\x04') || isSpanned(head)
}

// One of several volumes, or a zip that was prepared for that.
function isSpanned(head: Uint8Array): boolean {
  return (hasText(head, 0, 'PK\x07\x08') || hasText(head, 0, 'PK00')) && hasText(head, 4, 'PK\x03\x04')
}

/** A zip, or the format that its content makes it, as far as the head shows. */
export function detectZip(head: Uint8Array): Detected | undefined {
  // An empty archive has only an end record.
  if (hasText(head, 0, 'PK\x05\x06')) return sure('zip')
  if (!isZip(head)) return undefined
  if (zipEntryName(head, 0) === 'mimetype') {
    const start = 30 + 'mimetype'.length + littleEndianAt(head, 28, 2)
    const ext = extOfMimetype(textAt(head, start, littleEndianAt(head, 18, 4)))
    if (ext !== undefined) return sure(ext)
  }
  return kindOfNames(entryNames(head)) ?? { ext: 'zip', conclusive: false }
}

/** Detects a zip by its directory and the parts that name its kind; `undefined` if it has no directory. */
export function* lookAtZip({ size, inflate }: Pick<FileAccess, 'size' | 'inflate'>): Looking<Detected | undefined> {
  const entries = yield* readZipDirectory(size)
  if (entries === undefined || entries.length === 0) return undefined
  const reported = yield* readTellingPart(entries, inflate)
  if (reported !== undefined) return withPlain(reported)
  return kindOfNames(entries.map(({ name }) => name)) ?? { ext: 'zip', conclusive: false }
}

/** Templates and slide shows often have the extension of the plain kind, and are read the same way. */
const plainKinds: Readonly<Record<string, readonly string[]>> = {
  dotx: ['docx', 'docm'],
  xltx: ['xlsx', 'xlsm'],
  ppsx: ['pptx', 'pptm'],
}

function withPlain(ext: string): Detected {
  const variants = plainKinds[ext]
  return variants === undefined ? sure(ext) : { ...sure(ext), variants }
}

const markerParts: readonly (readonly [name: RegExp, read: (text: string) => string | undefined])[] = [
  [/^mimetype$/, extOfMimetype],
  [/^\/?\[content_types\]\.xml$/i, extOfContentTypes],
  [/^META-INF\/manifest\.xml$/, extOfManifest],
  [/^index\.xml$/, extOfAppleIndex],
]

function* readTellingPart(entries: readonly ZipEntry[], inflate: FileAccess['inflate']): Looking<string | undefined> {
  for (const [wanted, read] of markerParts) {
    const entry = entries.find(({ name }) => wanted.test(name))
    const text = entry && (yield* readZipText(entry, inflate))
    const ext = text === undefined ? undefined : read(text)
    if (ext !== undefined) return ext
  }
  return undefined
}

function entryNames(head: Uint8Array): readonly string[] {
  const names: string[] = []
  for (let at = isSpanned(head) ? 4 : 0; at !== -1 && names.length < maxEntriesRead; at = nextEntry(head, at)) {
    names.push(zipEntryName(head, at))
  }
  return names
}

// By the size, which skips any zip inside; if the size comes after the content, by the next mark.
function nextEntry(head: Uint8Array, at: number): number {
  const start = at + 30 + littleEndianAt(head, at + 26, 2) + littleEndianAt(head, at + 28, 2)
  const end = start + littleEndianAt(head, at + 18, 4)
  const isSized = ((head[at + 6] ?? 0) & 8) === 0
  if (isSized) return hasText(head, end, 'PK\x03\x04') ? end : -1
  const next = indexOfText(head.subarray(at + 4), 'PK\x03\x04', head.length)
  return next === -1 ? -1 : at + 4 + next
}

function zipEntryName(head: Uint8Array, at: number): string {
  return textAt(head, at + 30, littleEndianAt(head, at + 26, 2))
}
