import { crc32, deflateSync } from 'node:zlib'

/** The size and pixels of an image that is red on the left and blue on the right. */
interface Halves {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

function halves(width: number, height: number): Halves {
  const pixels = Buffer.alloc(width * height * 3)
  for (let n = 0; n < width * height; n++) pixels[n * 3 + (n % width < width / 2 ? 0 : 2)] = 255
  return { width, height, pixels }
}

/** Blue on the left and red on the right. */
const otherWayRound = (pixels: Buffer) => Buffer.from(pixels.map((value, n) => (n % 3 === 1 ? 0 : 255 - value)))

/** Images in formats that no program here writes, byte by byte. */
export function sampleRareImages(width = 160, height = 120): Readonly<Record<string, Buffer>> {
  const picture = halves(width, height)
  return {
    ras: ras(picture),
    cur: cur(picture),
    icns: icns(),
    fits: fits(picture),
    pfm: pfm(picture),
    dcx: dcx(picture),
    apng: apng(picture),
    fli: fli(picture),
  }
}

const words = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, n * 4)
  return bytes
}

const shorts = (...values: readonly number[]) => Buffer.from(new Uint16Array(values).buffer)
const longs = (...values: readonly number[]) => Buffer.from(new Uint32Array(values).buffer)

function ras({ width, height, pixels }: Halves): Buffer {
  // Sun stores blue first in its standard type, red first in type 3.
  return Buffer.concat([words(0x59_a6_6a_95, width, height, 24, pixels.length, 3, 0, 0), pixels])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([words(data.length), named, words(crc32(named))])
}

function rows({ width, height, pixels }: Halves): Buffer {
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.from([0]), pixels.subarray(y * width * 3, (y + 1) * width * 3)]),
  )
  return deflateSync(Buffer.concat(lines))
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function header({ width, height }: Halves): Buffer {
  return chunk('IHDR', Buffer.concat([words(width, height), Buffer.from([8, 2, 0, 0, 0])]))
}

function png(picture: Halves): Buffer {
  return Buffer.concat([pngStart, header(picture), chunk('IDAT', rows(picture)), chunk('IEND', Buffer.alloc(0))])
}

/** Two frames of a tenth of a second. The second one has its colors swapped. */
function apng(picture: Halves): Buffer {
  const { width, height, pixels } = picture
  const control = (n: number) =>
    chunk('fcTL', Buffer.concat([words(n, width, height, 0, 0), Buffer.from([0, 1, 0, 10, 0, 0])]))
  const other = { ...picture, pixels: otherWayRound(pixels) }
  return Buffer.concat([
    ...[pngStart, header(picture), chunk('acTL', words(2, 0)), control(0), chunk('IDAT', rows(picture))],
    ...[control(1), chunk('fdAT', Buffer.concat([words(2), rows(other)])), chunk('IEND', Buffer.alloc(0))],
  ])
}

function cur(picture: Halves): Buffer {
  const content = png(picture)
  const { width, height } = picture
  const entry = Buffer.concat([Buffer.from([width, height, 0, 0]), shorts(1, 1), longs(content.length, 22)])
  return Buffer.concat([shorts(0, 2, 1), entry, content])
}

/** Apple's icons are square. */
function icns(): Buffer {
  const content = png(halves(128, 128))
  const part = Buffer.concat([Buffer.from('ic07'), words(content.length + 8), content])
  return Buffer.concat([Buffer.from('icns'), words(part.length + 8), part])
}

/** Blue is left out: telescope images have one channel. */
function fits({ width, height, pixels }: Halves): Buffer {
  const card = (name: string, value: string) => `${name.padEnd(8)}= ${value.padStart(20)}`.padEnd(80)
  const cards = [card('SIMPLE', 'T'), card('BITPIX', '8'), card('NAXIS', '2')]
  const sizes = [card('NAXIS1', String(width)), card('NAXIS2', String(height)), 'END'.padEnd(80)]
  const shades = pixels.filter((_, n) => n % 3 === 0)
  const data = Buffer.alloc(Math.ceil(shades.length / 2880) * 2880)
  data.set(shades)
  return Buffer.concat([Buffer.from([...cards, ...sizes].join('').padEnd(2880)), data])
}

function pfm({ width, height, pixels }: Halves): Buffer {
  const shades = [...pixels.filter((_, n) => n % 3 === 0)].map((value) => value / 255)
  const data = Buffer.from(new Float32Array(shades).buffer)
  return Buffer.concat([Buffer.from(`Pf\n${width} ${height}\n-1.0\n`), data])
}

function dcx(picture: Halves): Buffer {
  const { width, height, pixels } = picture
  const head = Buffer.alloc(128)
  head.set([10, 5, 1, 8])
  head.set(shorts(0, 0, width - 1, height - 1, 72, 72), 4)
  head.set([0, 3], 64)
  head.set(shorts(width, 1), 66)
  // A line stores all its red, then green, then blue values; runs hold up to 63 pixels.
  const line = (y: number, channel: number) =>
    Array.from({ length: width }, (_, x) => [0xc1, pixels[(y * width + x) * 3 + channel] ?? 0]).flat()
  const lines = Array.from({ length: height }, (_, y) => [0, 1, 2].flatMap((channel) => line(y, channel))).flat()
  return Buffer.concat([longs(987_654_321, 12, 0), head, Buffer.from(lines)])
}

/** Three frames of 70 ms in two colors. */
function fli({ width, height, pixels }: Halves): Buffer {
  const part = (type: number, data: Buffer) => Buffer.concat([longs(data.length + 6), shorts(type), data])
  const palette = part(4, Buffer.concat([shorts(1), Buffer.from([0, 2, 255, 0, 0, 0, 0, 255])]))
  const copy = (shown: Buffer) =>
    part(16, Buffer.from(shown.filter((_, n) => n % 3 === 0).map((value) => (value === 255 ? 0 : 1))))
  const frame = (...parts: readonly Buffer[]) => {
    const data = Buffer.concat(parts)
    return Buffer.concat([longs(data.length + 16), shorts(0xf1_fa, parts.length, 0, 0, 0, 0), data])
  }
  const frames = Buffer.concat([frame(palette, copy(pixels)), frame(copy(otherWayRound(pixels))), frame(copy(pixels))])
  const head = Buffer.alloc(128)
  head.set(longs(128 + frames.length))
  head.set(shorts(0xaf12, 3, width, height, 8, 3), 4)
  head.set(longs(70), 16)
  return Buffer.concat([head, frames])
}
