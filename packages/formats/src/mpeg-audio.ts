const kilobits: Readonly<Record<string, readonly number[]>> = {
  '1-1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1-2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1-3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2-1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2-2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const rates: readonly number[] = [44_100, 48_000, 32_000]

/**
 * Counts consecutive frames of MPEG audio (layers 1 to 3) from an offset, up to `most`. A frame contains its length, so
 * the next one must begin where it ends. A frame of free length counts and ends the sequence.
 */
export function countMpegFrames(bytes: Uint8Array, start: number, most = 3): number {
  let at = start
  for (let n = 0; n < most; n++) {
    const length = frameLength(bytes, at)
    if (length === undefined) return n
    if (length === 0) return n + 1
    at += length
    // The last frame may be cut off at the end of the bytes.
    if (at >= bytes.length) return n + 1
  }
  return most
}

/** The length of the frame at an offset; 0 if it has none, `undefined` if there is no frame. */
function frameLength(bytes: Uint8Array, at: number): number | undefined {
  const [sync = 0, kind = 0, coding = 0] = bytes.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return undefined
  const [versionBits, layerBits] = [(kind >> 3) & 3, (kind >> 1) & 3]
  const [rateIndex, sampleIndex] = [coding >> 4, (coding >> 2) & 3]
  if (versionBits === 1 || layerBits === 0 || rateIndex === 15 || sampleIndex === 3) return undefined
  const [isFirst, layer] = [versionBits === 3, 4 - layerBits]
  const table = kilobits[isFirst ? `1-${layer}` : `2-${Math.min(layer, 2)}`]
  const bits = (table?.[rateIndex] ?? 0) * 1000
  const samples = (rates[sampleIndex] ?? 1) / (isFirst ? 1 : versionBits === 2 ? 2 : 4)
  const padding = (coding >> 1) & 1
  if (bits === 0) return 0
  if (layer === 1) return (Math.floor((12 * bits) / samples) + padding) * 4
  return Math.floor(((layer === 3 && !isFirst ? 72 : 144) * bits) / samples) + padding
}
