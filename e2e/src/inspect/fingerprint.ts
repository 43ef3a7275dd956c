import sharp from 'sharp'

const columns = 9
const rows = 8

/**
 * The look of an image in two times 64 bits (dHash): of the whole image, and of its content without the margins, where
 * pages of text differ from each other. 32 hex digits.
 */
export async function fingerprintOf(picture: Buffer): Promise<string> {
  const drawn = sharp(picture).flatten({ background: 'white' }).greyscale().png()
  const { data: whole, info } = await drawn.toBuffer({ resolveWithObject: true })
  // sharp does not trim smaller images.
  const isTiny = Math.min(info.width, info.height) < 3
  const content = isTiny ? whole : await sharp(whole).trim({ background: 'white', threshold: 24 }).png().toBuffer()
  return `${await hash(whole)}${await hash(content)}`
}

/** For each of 8 rows, where it gets darker from left to right. */
async function hash(picture: Buffer): Promise<string> {
  const shrunk = sharp(picture).greyscale().resize(columns, rows, { fit: 'fill' }).raw()
  const { data, info } = await shrunk.toBuffer({ resolveWithObject: true })
  const grey = (row: number, column: number) => data[(row * columns + column) * info.channels] ?? 0
  const contrast = Math.max(...data) - Math.min(...data)
  // Two equally bright neighbors must give the same bit everywhere.
  const margin = Math.max(1, contrast * 0.03)
  let bits = 0n
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns - 1; column++) {
      bits = (bits << 1n) | (grey(row, column) > grey(row, column + 1) + margin ? 1n : 0n)
    }
  }
  return bits.toString(16).padStart(16, '0')
}

/** The number of bits in which two fingerprints differ. */
export function distance(one: string, other: string): number {
  const differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  return differing.toString(2).replaceAll('0', '').length
}
