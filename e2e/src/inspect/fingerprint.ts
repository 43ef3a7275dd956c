import sharp from 'sharp'

const columns = 9
const rows = 8
// Two neighbours as bright as each other must not come out one way here and the other way there.
const margin = 3

/** What a picture looks like in 64 bits: for each of 8 rows, where it gets darker from left to right (dHash). */
export async function fingerprintOf(picture: Buffer): Promise<string> {
  const grey = await sharp(picture)
    .flatten({ background: 'white' })
    .greyscale()
    .resize(columns, rows, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { data, info } = grey
  let bits = 0n
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns - 1; column++) {
      const at = (row * columns + column) * info.channels
      const isDarker = (data[at] ?? 0) > (data[at + info.channels] ?? 0) + margin
      bits = (bits << 1n) | (isDarker ? 1n : 0n)
    }
  }
  return bits.toString(16).padStart(16, '0')
}

/** In how many of their 64 bits two fingerprints differ. */
export function distance(one: string, other: string): number {
  const differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`)
  return differing.toString(2).replaceAll('0', '').length
}
