import { bigEndianAt, hasText, indexOfText, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import { detectOle } from './ole-container.ts'
import { detectZip } from './zip-container.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** Formats that share a container and name their kind inside. */
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

const riffKinds: Readonly<Record<string, string>> = {
  WEBP: 'webp',
  WAVE: 'wav',
  'AVI ': 'avi',
  RMID: 'mid',
  sfbk: 'sf2',
  ACON: 'ani',
}

function detectRiff(head: Uint8Array): Detected | undefined {
  // A wave file above 4 GiB begins with another word, and so does one with big-endian numbers.
  const isWave = hasText(head, 8, 'WAVE') && ['RF64', 'RIFX', 'BW64'].some((mark) => hasText(head, 0, mark))
  if (isWave) return sure('wav')
  if (!hasText(head, 0, 'RIFF')) return undefined
  const ext = riffKinds[textAt(head, 8, 4)] ?? (hasText(head, 8, 'CDR') ? 'cdr' : undefined)
  return ext === undefined ? undefined : sure(ext)
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
  'M4P ': 'm4a',
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

/** What the general brands may contain: audio only, or a video with another name for the same container. */
const kinds = ['m4a', 'm4v', '3gp', 'mov']

function detectIsoMedia(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 4, 'ftyp')) return undefined
  // 64 brands are far more than any real file has, and bound the loop.
  const end = Math.min(bigEndianAt(head, 0), head.length, 16 + 64 * 4)
  const major = textAt(head, 8, 4)
  const known = brands[major]
  if (known !== undefined) return sure(known)
  // `mif1` and `msf1` only mean "an image in this container": the compatible brands name the format.
  if (major !== 'mif1' && major !== 'msf1') return { ...sure('mp4'), variants: kinds }
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
  // The first pages of all streams come before all other pages, in any order: a video may begin with its audio stream.
  if (indexOfText(head, '\x80theora', 512) !== -1) return sure('ogv')
  if (indexOfText(head, 'OpusHead', 128) !== -1) return sure('opus')
  return indexOfText(head, 'Speex   ', 128) === -1 ? sure('ogg') : sure('spx')
}
