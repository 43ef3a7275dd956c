import { hasText, indexOfText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const openDocument = 'application/vnd.oasis.opendocument'

const mimetypes: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  [`${openDocument}.text`]: 'odt',
  [`${openDocument}.spreadsheet`]: 'ods',
  [`${openDocument}.presentation`]: 'odp',
  [`${openDocument}.graphics`]: 'odg',
  [`${openDocument}.text-template`]: 'ott',
  [`${openDocument}.spreadsheet-template`]: 'ots',
  [`${openDocument}.presentation-template`]: 'otp',
  [`${openDocument}.graphics-template`]: 'otg',
}

// Office programs write their parts' list and main part among the first few entries.
const maxEntriesRead = 100

/** What Microsoft's programs keep in folders of their own. The exact kind is told by a part that is packed. */
const officeFolders: Readonly<Record<string, Detected>> = {
  'word/': { ext: 'docx', conclusive: true, variants: ['docm', 'dotx'] },
  'xl/': { ext: 'xlsx', conclusive: true, variants: ['xlsm'] },
  'ppt/': { ext: 'pptx', conclusive: true, variants: ['pptm', 'ppsx'] },
  'visio/': { ext: 'vsdx', conclusive: true },
}

const macroParts: Readonly<Record<string, string>> = {
  'word/vbaProject.bin': 'docm',
  'xl/vbaProject.bin': 'xlsm',
  'ppt/vbaProject.bin': 'pptm',
}

/** A zip, and what it holds if that makes it something else. */
export function detectZip(head: Uint8Array): Detected | undefined {
  // An empty archive has nothing but its end record.
  if (hasText(head, 0, 'PK\x05\x06')) return { ext: 'zip', conclusive: true }
  if (!hasText(head, 0, 'PK\x03\x04')) return undefined
  if (zipEntryName(head, 0) === 'mimetype') {
    const start = 30 + 'mimetype'.length + littleEndianAt(head, 28, 2)
    const ext = mimetypes[textAt(head, start, littleEndianAt(head, 18, 4))]
    if (ext !== undefined) return { ext, conclusive: true }
  }
  return detectOffice(entryNames(head)) ?? { ext: 'zip', conclusive: false }
}

function detectOffice(names: readonly string[]): Detected | undefined {
  const isPackage = names.some((name) => name === '[Content_Types].xml' || name.startsWith('_rels/'))
  // Excel's binary workbook has the same folders and another content.
  if (!isPackage || names.includes('xl/workbook.bin')) return undefined
  const withMacros = names.find((name) => Object.hasOwn(macroParts, name))
  if (withMacros !== undefined) return { ext: macroParts[withMacros] ?? '', conclusive: true }
  const folders = Object.entries(officeFolders)
  return folders.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1]
}

function entryNames(head: Uint8Array): readonly string[] {
  const names: string[] = []
  // Local headers are found by their mark, not by adding sizes: sizes may be absent from them.
  for (let at = 0; at !== -1 && names.length < maxEntriesRead; at = nextEntry(head, at + 4)) {
    names.push(zipEntryName(head, at))
  }
  return names
}

function nextEntry(head: Uint8Array, from: number): number {
  const at = indexOfText(head.subarray(from), 'PK\x03\x04', head.length)
  return at === -1 ? -1 : from + at
}

function zipEntryName(head: Uint8Array, at: number): string {
  return textAt(head, at + 30, littleEndianAt(head, at + 26, 2))
}
