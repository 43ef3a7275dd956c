import { bigEndianAt, hasText, indexOfText, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import { detectOle } from './ole-container.ts'
import { detectZip } from './zip-container.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Formats that share an outer shell and say inside which they are. */
export function detectContainer(head: Uint8Array): Detected | undefined {
  return (
    detectRiff(head) ??
    detectIsoMedia(head) ??
    detectMatroska(head) ??
    detectOgg(head) ??
    detectZip(head) ??
    detectOle(head)
  )
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
  // The first page of each stream stands before all others, in any order: a film may begin with its sound.
  if (indexOfText(head, '\x80theora', 512) !== -1) return sure('ogv')
  return indexOfText(head, 'OpusHead', 128) === -1 ? sure('ogg') : sure('opus')
}
