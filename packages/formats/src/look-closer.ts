import { hasText, littleEndianAt } from './bytes.ts'
import { type Detected, detectFormat } from './detect.ts'
import { type FileAccess, lookInFile } from './looking.ts'
import { isOle, lookAtOle } from './ole-container.ts'
import { detectBehindTags, endOfTags, isTagged } from './tagged-audio.ts'
import { isZip, lookAtZip } from './zip-container.ts'

/** Whether more of the file than its head can improve the detection. */
export function wantsCloserLook(head: Uint8Array): boolean {
  return isOle(head) || isZip(head) || isGzip(head) || isTagged(head)
}

/** Detects a format from a whole file, beyond its head. It makes a few bounded reads. */
export async function lookCloser(head: Uint8Array, file: FileAccess): Promise<Detected | undefined> {
  if (isOle(head)) return lookInFile(lookAtOle(), file)
  if (isZip(head)) return (await lookInFile(lookAtZip(file), file)) ?? detectFormat(head)
  if (isGzip(head)) return detectPacked(head, file.inflate)
  return isTagged(head) ? lookBehindTags(head, file) : detectFormat(head)
}

// Album covers are in the tags before the audio, and may be larger than any head.
async function lookBehindTags(head: Uint8Array, file: FileAccess): Promise<Detected> {
  let [start, rest] = [0, head]
  for (let n = 0; n < 4 && isTagged(rest) && start < file.size; n++) {
    const length = endOfTags(rest)
    if (length === 0) break
    start += length
    rest = await file.readAt(start, Math.max(0, Math.min(65_536, file.size - start)))
  }
  return detectBehindTags(rest)
}

/** Formats that are compressed so often that they have separate extensions for it: svgz, emz, wmz. */
const packedKinds: readonly string[] = ['svg', 'emf', 'wmf']

function isGzip(head: Uint8Array): boolean {
  return hasText(head, 0, '\x1f\x8b\x08')
}

// Drawings are often gzip files. 8 KiB are enough to detect that, and unpack to 8 MiB at most.
function detectPacked(head: Uint8Array, inflate: FileAccess['inflate']): Detected {
  const start = gzipContent(head)
  const content = inflate(head.subarray(start, start + 8192), 2 ** 23 + 2 ** 16)
  const ext = content && detectFormat(content)?.ext
  if (ext && packedKinds.includes(ext)) return { ext, conclusive: true, isPacked: true }
  return { ext: 'gz', conclusive: true, variants: ['tar.gz'] }
}

// Ten bytes, then the fields that the flags announce: one with a length, a name and a comment that end with zero.
function gzipContent(head: Uint8Array): number {
  const flags = head[3] ?? 0
  let at = 10
  if (flags & 4) at += 2 + littleEndianAt(head, at, 2)
  for (const flag of [8, 16]) if (flags & flag) at = head.indexOf(0, at) + 1 || head.length
  return flags & 2 ? at + 2 : at
}
