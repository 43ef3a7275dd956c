import { hasText, indexOfText, textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })
const guess = (ext: string): Detected => ({ ext, conclusive: false })

/** Audio and video that are detected by a pattern instead of a signature at the start. */
export function detectMedia(head: Uint8Array): Detected | undefined {
  return detectAsf(head) ?? detectAiff(head) ?? detectTransport(head) ?? detectAdts(head) ?? detectOldQuickTime(head)
}

const asfHeader = '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\x00\xaa\x00\x62\xce\x6c'
const asfVideo = '\xc0\xef\x19\xbc\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b'
const asfAudio = '\x40\x9e\x69\xf8\x4d\x5b\xcf\x11\xa8\xfd\x00\x80\x5f\x5c\x44\x2b'

// Windows Media uses one container for audio and video: its header lists the kinds of its streams.
function detectAsf(head: Uint8Array): Detected | undefined {
  if (!hasText(head, 0, asfHeader)) return undefined
  if (indexOfText(head, asfVideo, head.length) !== -1) return sure('wmv')
  return indexOfText(head, asfAudio, head.length) === -1 ? guess('wmv') : sure('wma')
}

// The Amiga container for audio, images and more.
const interchange: Readonly<Record<string, string>> = {
  AIFF: 'aiff',
  AIFC: 'aiff',
  ILBM: 'ilbm',
  'PBM ': 'ilbm',
  '8SVX': '8svx',
}

function detectAiff(head: Uint8Array): Detected | undefined {
  const ext = hasText(head, 0, 'FORM') ? interchange[textAt(head, 8, 4)] : undefined
  return ext === undefined ? undefined : sure(ext)
}

// Packets of 188 bytes begin with the same byte; on discs each has four more bytes before it.
function detectTransport(head: Uint8Array): Detected | undefined {
  const repeats = (first: number, step: number) => [0, 1, 2, 3, 4].every((n) => head[first + n * step] === 0x47)
  return repeats(0, 188) || repeats(4, 192) ? sure('ts') : undefined
}

/** An AAC frame contains its length, so the next frame must follow there, and one more after it. */
export function detectAdts(head: Uint8Array): Detected | undefined {
  if (!isAdts(head, 0)) return undefined
  const second = adtsLength(head, 0)
  const third = second + adtsLength(head, second)
  return second >= 7 && isAdts(head, second) && isAdts(head, third) ? sure('aac') : guess('aac')
}

function isAdts(head: Uint8Array, at: number): boolean {
  return head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0 && ((head[at + 2] ?? 0) & 0x3c) >> 2 < 13
}

function adtsLength(head: Uint8Array, at: number): number {
  const [high = 0, middle = 0, low = 0] = head.subarray(at + 3, at + 6)
  return ((high & 3) << 11) | (middle << 3) | (low >> 5)
}

// QuickTime files older than the `ftyp` box begin with their index or with the media itself.
function detectOldQuickTime(head: Uint8Array): Detected | undefined {
  return ['moov', 'mdat', 'wide', 'pnot'].some((box) => hasText(head, 4, box)) ? guess('mov') : undefined
}
