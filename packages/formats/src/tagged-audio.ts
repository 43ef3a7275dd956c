import { hasText, littleEndianAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import { detectAdts } from './media.ts'
import { countMpegFrames } from './mpeg-audio.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })

/** The maximum number of consecutive tags that are skipped. */
const maxTags = 8

/** Where the audio after the tags begins, as far as the known bytes show: past their end if a tag is longer. */
export function endOfTags(head: Uint8Array): number {
  let at = 0
  for (let n = 0; n < maxTags; n++) {
    const length = tagLength(head, at)
    if (length === 0) break
    at += length
  }
  return at
}

// ID3v2: each size byte has seven bits. APEv2: the size does not include the header.
function tagLength(head: Uint8Array, at: number): number {
  if (hasText(head, at, 'ID3')) {
    const [version = 255, , flags = 0, a = 128, b = 128, c = 128, d = 128] = head.subarray(at + 3, at + 10)
    if (version > 9 || (a | b | c | d) > 127) return 0
    return 10 + ((a << 21) | (b << 14) | (c << 7) | d) + (flags & 0x10 ? 10 : 0)
  }
  return hasText(head, at, 'APETAGEX') ? 32 + littleEndianAt(head, at + 12, 4) : 0
}

/** Whether a file begins with tags that any kind of audio may follow. */
export function isTagged(head: Uint8Array): boolean {
  return hasText(head, 0, 'ID3') || hasText(head, 0, 'APETAGEX')
}

/** Audio after tags: the bytes after the tags determine the format. */
export function detectTagged(head: Uint8Array): Detected | undefined {
  if (!isTagged(head)) return undefined
  return detectBehindTags(head.subarray(endOfTags(head)))
}

const marks: readonly (readonly [mark: string, ext: string])[] = [
  ['fLaC', 'flac'],
  ['MAC ', 'ape'],
  ['TTA1', 'tta'],
  ['wvpk', 'wv'],
  ['MP+', 'mpc'],
  ['MPCK', 'mpc'],
  ['tBaK', 'tak'],
  ['OFR ', 'ofr'],
  ['DSD ', 'dsf'],
  ['OggS', 'ogg'],
  ['FORM', 'aiff'],
]

/** Detects the bytes right after the tags. Most files that begin with tags are MP3, so that is the guess. */
export function detectBehindTags(rest: Uint8Array): Detected {
  const start = pastPadding(rest)
  const found = marks.find(([mark]) => hasText(rest, start, mark))
  if (found !== undefined) return sure(found[1])
  const frames = rest.subarray(start)
  const adts = detectAdts(frames)
  if (adts !== undefined) return adts
  if (hasText(frames, 0, '\x0b\x77')) return { ext: 'ac3', conclusive: false }
  return { ext: 'mp3', conclusive: countMpegFrames(frames, 0) > 0 }
}

// Some programs write zeros after the tag that its size does not include.
function pastPadding(rest: Uint8Array): number {
  const at = rest.subarray(0, 65_536).findIndex((byte) => byte !== 0)
  return at === -1 ? 0 : at
}
