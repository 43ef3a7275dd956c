type Entry = readonly [tag: number, type: number, values: readonly number[]]

const types = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5, signedRational: 10 } as const
const widths: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 10: 4 }

/** XYZ to linear sRGB, so that the sensor values are plain red, green and blue. */
const colourMatrix = [3.2405, -1.5371, -0.4985, -0.9693, 1.876, 0.0416, 0.0556, -0.204, 1.0572]

/** The raw file of a fictional camera: a red left half and a blue right half behind a Bayer filter. */
export function sampleDng(width = 160, height = 120): Buffer {
  const pixels = sensorOf(width, height)
  const text = (words: string) => [...Buffer.from(`${words}\0`)]
  const entries: Entry[] = [
    [254, types.long, [0]],
    [256, types.long, [width]],
    [257, types.long, [height]],
    [258, types.short, [16]],
    [259, types.short, [1]],
    [262, types.short, [32_803]],
    [271, types.ascii, text('Lathe')],
    [272, types.ascii, text('Pinhole')],
    [273, types.long, [0]],
    [274, types.short, [1]],
    [277, types.short, [1]],
    [278, types.long, [height]],
    [279, types.long, [pixels.length]],
    [33_421, types.short, [2, 2]],
    [33_422, types.byte, [0, 1, 1, 2]],
    [50_706, types.byte, [1, 4, 0, 0]],
    [50_707, types.byte, [1, 1, 0, 0]],
    [50_708, types.ascii, text('Lathe Pinhole')],
    [50_717, types.long, [65_535]],
    [50_721, types.signedRational, colourMatrix.flatMap((n) => [Math.round(n * 10_000), 10_000])],
    [50_728, types.rational, [1, 1, 1, 1, 1, 1]],
    [50_778, types.short, [21]],
  ]
  return Buffer.concat([directory(entries), pixels])
}

function sensorOf(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 2)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = x < width / 2 ? [50_000, 9000, 6000] : [6000, 9000, 50_000]
      const filtered = y % 2 === 0 && x % 2 === 0 ? red : y % 2 === 1 && x % 2 === 1 ? blue : green
      pixels.writeUInt16LE(filtered ?? 0, (y * width + x) * 2)
    }
  }
  return pixels
}

/** A TIFF header with one directory; the pixels follow it. */
function directory(entries: readonly Entry[]): Buffer {
  const packed = entries.map(([tag, type, values]) => ({ tag, type, values, bytes: pack(type, values) }))
  const start = 8 + 2 + entries.length * 12 + 4
  const end = packed.reduce((at, { bytes }) => at + (bytes.length > 4 ? bytes.length + (bytes.length % 2) : 0), start)
  const head = Buffer.alloc(end)
  head.write('II*\0', 'latin1')
  head.writeUInt32LE(8, 4)
  head.writeUInt16LE(entries.length, 8)
  let at = start
  for (const [n, { tag, type, values, bytes }] of packed.entries()) {
    const entry = 10 + n * 12
    const isPair = type === types.rational || type === types.signedRational
    head.writeUInt16LE(tag, entry)
    head.writeUInt16LE(type, entry + 2)
    head.writeUInt32LE(isPair ? values.length / 2 : values.length, entry + 4)
    // Strip offsets: where the pixels begin.
    if (tag === 273) head.writeUInt32LE(end, entry + 8)
    else if (bytes.length <= 4) bytes.copy(head, entry + 8)
    else {
      head.writeUInt32LE(at, entry + 8)
      bytes.copy(head, at)
      at += bytes.length + (bytes.length % 2)
    }
  }
  return head
}

function pack(type: number, values: readonly number[]): Buffer {
  const width = widths[type] ?? 1
  const bytes = Buffer.alloc(values.length * width)
  for (const [n, value] of values.entries()) {
    if (type === types.signedRational) bytes.writeInt32LE(value, n * 4)
    else bytes.writeUIntLE(value, n * width, width)
  }
  return bytes
}
