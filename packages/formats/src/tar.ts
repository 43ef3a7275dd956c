import { textAt } from './bytes.ts'
import type { Detected } from './detect.ts'

const blockBytes = 512

/** Tar from before its signature existed: the header has a checksum, in which the checksum field counts as spaces. */
export function detectTar(head: Uint8Array): Detected | undefined {
  if (head.length < blockBytes || head[0] === 0) return undefined
  const written = /^\s{0,7}([0-7]{1,6})[\0 ]/.exec(textAt(head, 148, 8))?.[1]
  if (written === undefined) return undefined
  let sum = 8 * 32
  for (let at = 0; at < blockBytes; at++) sum += at >= 148 && at < 156 ? 0 : (head[at] ?? 0)
  return sum === Number.parseInt(written, 8) ? { ext: 'tar', conclusive: true } : undefined
}
