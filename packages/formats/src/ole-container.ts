import { hasText, littleEndianAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const entryBytes = 128
// An office program names its main stream among the first few.
const maxEntriesRead = 256

const streams: Readonly<Record<string, string>> = {
  WordDocument: 'doc',
  Workbook: 'xls',
  Book: 'xls',
  'PowerPoint Document': 'ppt',
}

/** The compound file of the old office programs, which installers and mails use too: its directory names what is in it. */
export function detectOle(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return undefined
  const names = entryNames(head)
  // A protected document of the newer programs: what it is, only whoever has its password can see.
  if (names.includes('EncryptedPackage')) return { ext: 'docx', conclusive: false }
  const main = names.find((name) => Object.hasOwn(streams, name))
  if (main !== undefined) return { ext: streams[main] ?? '', conclusive: true }
  // The directory may lie far behind: then the name has to tell.
  return { ext: 'doc', conclusive: false }
}

function entryNames(head: Uint8Array): readonly string[] {
  const sectorBytes = 2 ** Math.min(littleEndianAt(head, 30, 2), 16)
  const start = (littleEndianAt(head, 48, 4) + 1) * sectorBytes
  const names: string[] = []
  for (let at = start; at + entryBytes <= head.length && names.length < maxEntriesRead; at += entryBytes) {
    names.push(entryName(head, at))
  }
  return names
}

// UTF-16 with a zero at the end, whose bytes are counted.
function entryName(head: Uint8Array, at: number): string {
  const length = Math.min(littleEndianAt(head, at + 64, 2), 64) / 2 - 1
  let name = ''
  for (let n = 0; n < length; n++) name += String.fromCharCode(littleEndianAt(head, at + 2 * n, 2))
  return name
}
