import { bigEndianAt, hasText, littleEndianAt } from './bytes.ts'
import type { Detected } from './detect.ts'
import { countMpegFrames } from './mpeg-audio.ts'

const sure = (ext: string): Detected => ({ ext, conclusive: true })
const guess = (ext: string): Detected => ({ ext, conclusive: false })

/** Audio whose first four bytes are too common to be conclusive. */
export function detectAudio(head: Uint8Array): Detected | undefined {
  if (hasText(head, 0, '.snd') && bigEndianAt(head, 4) >= 24 && bigEndianAt(head, 4) < 2 ** 20) return sure('au')
  const apeVersion = littleEndianAt(head, 4, 2)
  if (hasText(head, 0, 'MAC ') && apeVersion >= 3000 && apeVersion < 6000) return sure('ape')
  const isFlash = ['FWS', 'CWS', 'ZWS'].some((mark) => hasText(head, 0, mark))
  return isFlash && (head[3] ?? 0) > 0 && (head[3] ?? 0) < 60 ? sure('swf') : undefined
}

/** MPEG audio and Dolby Digital have no signature, only frames: one may be a coincidence, three in a row are not. */
export function detectFrames(head: Uint8Array): Detected | undefined {
  if (isDolby(head)) return guess('ac3')
  const frames = countMpegFrames(head, 0)
  return frames === 0 ? undefined : { ext: 'mp3', conclusive: frames === 3 }
}

// Dolby Digital, and from version 11 on Dolby Digital Plus, whose header has the sample rate elsewhere.
function isDolby(head: Uint8Array): boolean {
  const [first, second, , , sizes = 0, version = 0] = head
  if (first !== 0x0b || second !== 0x77) return false
  const stream = version >> 3
  return stream > 10 ? stream <= 16 : sizes >> 6 !== 3 && (sizes & 63) < 38
}
