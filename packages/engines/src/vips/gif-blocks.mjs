// @ts-check

/**
 * Tells whether a GIF is whole. libvips shows the frames that came through of a file that was cut, and keeps
 * silent about the rest, so the blocks are walked here. A missing end mark alone is forgiven: many writers forget it.
 * @param {Buffer} bytes
 */
export function isWholeGif(bytes) {
  let at = 13 + tableSize(bytes[10] ?? 0)
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return true
    if (kind === 0x21) at = pastBlocks(bytes, at + 2)
    else if (kind === 0x2c) at = pastBlocks(bytes, at + 11 + tableSize(bytes[at + 9] ?? 0))
    // Padding and junk between blocks is for the decoder to judge.
    else at++
    if (at === -1) return false
  }
  return at === bytes.length
}

/** @param {number} flags */
function tableSize(flags) {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** @param {Buffer} bytes @param {number} from */
function pastBlocks(bytes, from) {
  let at = from
  while (at < bytes.length) {
    const length = bytes[at] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
  return -1
}
