import { bigEndianAt, hasText, indexOfText, littleEndianAt, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })
const guess = (ext: string): Detected => ({ ext, conclusive: false })

/** Formats that share an outer shell and say inside which they are. */
export function detectContainer(head: Uint8Array): Detected | undefined {
  return detectRiff(head) ?? detectIsoMedia(head) ?? detectMatroska(head) ?? detectOgg(head) ?? detectZip(head)
}

function detectRiff(head: Uint8Array): Detected | undefined {
  // Above 4 GiB a wave file says so by another first word.
  if (hasText(head, 0, 'RF64') && hasText(head, 8, 'WAVE')) return sure('wav')
  if (!hasText(head, 0, 'RIFF')) return undefined
  if (hasText(head, 8, 'WEBP')) return sure('webp')
  if (hasText(head, 8, 'WAVE')) return sure('wav')
  return hasText(head, 8, 'AVI ') ? sure('avi') : undefined
}

// The brands of ISO 14496-12 files; the major one comes first, then the compatible ones.
const brands: Readonly<Record<string, string>> = {
  avif: 'avif',
  avis: 'avif',
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  'crx ': 'raw',
  'M4A ': 'm4a',
  'M4B ': 'm4a',
  'M4V ': 'm4v',
  M4VH: 'm4v',
  M4VP: 'm4v',
  'qt  ': 'mov',
  '3gp4': '3gp',
  '3gp5': '3gp',
  '3gp6': '3gp',
  '3gp7': '3gp',
  '3ge6': '3gp',
  '3gg6': '3gp',
  '3g2a': '3gp',
  '3g2b': '3gp',
  '3g2c': '3gp',
}

function detectIsoMedia(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 4, 'ftyp')) return undefined
  // 64 brands are far more than any real file has, and bound the walk.
  const end = Math.min(bigEndianAt(head, 0), head.length, 16 + 64 * 4)
  const major = textAt(head, 8, 4)
  const known = brands[major]
  if (known !== undefined) return sure(known)
  // `mif1` and `msf1` only say "an image in this container": the compatible brands say which.
  if (major !== 'mif1' && major !== 'msf1') return sure('mp4')
  for (let at = 16; at + 4 <= end; at += 4) {
    const ext = brands[textAt(head, at, 4)]
    if (ext !== undefined) return sure(ext)
  }
  return sure('heic')
}

function detectMatroska(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, '\x1a\x45\xdf\xa3')) return undefined
  return indexOfText(head, 'webm', 128) === -1 ? sure('mkv') : sure('webm')
}

function detectOgg(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, 'OggS')) return undefined
  if (indexOfText(head, 'OpusHead', 128) !== -1) return sure('opus')
  return indexOfText(head, '\x80theora', 512) === -1 ? sure('ogg') : sure('ogv')
}

const mimetypes: Readonly<Record<string, string>> = {
  'application/epub+zip': 'epub',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
}

// Office programs write their parts' list and main part among the first few entries.
const maxEntriesRead = 100

const officeFolders = { 'word/': 'docx', 'xl/': 'xlsx', 'ppt/': 'pptx' } as const

function detectZip(head: Uint8Array): Detected | undefined {
  // An empty archive has nothing but its end record.
  if (hasText(head, 0, 'PK\x05\x06')) return sure('zip')
  if (!hasText(head, 0, 'PK\x03\x04')) return undefined
  if (zipEntryName(head, 0) === 'mimetype') {
    const start = 30 + 'mimetype'.length + littleEndianAt(head, 28, 2)
    const ext = mimetypes[textAt(head, start, littleEndianAt(head, 18, 4))]
    if (ext !== undefined) return sure(ext)
  }
  return detectOffice(head) ?? guess('zip')
}

function detectOffice(head: Uint8Array): Detected | undefined {
  let isPackage = false
  let ext: string | undefined
  let left = maxEntriesRead
  // Local headers are found by their mark, not by adding sizes: sizes may be absent from them.
  for (let at = 0; at !== -1 && left > 0; at = nextEntry(head, at + 4), left--) {
    const name = zipEntryName(head, at)
    isPackage ||= name === '[Content_Types].xml' || name.startsWith('_rels/')
    for (const [folder, format] of Object.entries(officeFolders)) if (name.startsWith(folder)) ext ??= format
    if (isPackage && ext !== undefined) return sure(ext)
  }
  return undefined
}

function nextEntry(head: Uint8Array, from: number): number {
  const at = indexOfText(head.subarray(from), 'PK\x03\x04', head.length)
  return at === -1 ? -1 : from + at
}

function zipEntryName(head: Uint8Array, at: number): string {
  return textAt(head, at + 30, littleEndianAt(head, at + 26, 2))
}
