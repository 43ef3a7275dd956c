import { noisePicture } from '../../chaos/support/noise-picture.ts'
import { sha256 } from './recording-client.ts'

/** The bytes that a unit sends, and the SHA-256 that its tasks must end with. */
export interface Content {
  readonly bytes: Buffer
  readonly sha256: string
  readonly filename: string
}

/** A few bytes that no other unit has. */
export function fewBytes(marker: string): Content {
  const bytes = Buffer.from(`${marker}\n`.repeat(1 + (marker.length % 7)))
  return { bytes, sha256: sha256(bytes), filename: `${marker}.txt` }
}

const sizes = [24, 32, 48] as const
/** The conversions of a load: each always gives the same bytes. */
export const conversions = sizes.flatMap((size) => (['webp', 'jpg'] as const).map((format) => ({ size, format })))

const images = new Map(sizes.map((size) => [size, noisePicture(size, size)]))

/** The image of a conversion. */
export function imageOf({ size }: (typeof conversions)[number]): Content {
  const bytes = images.get(size) ?? Buffer.alloc(0)
  return { bytes, sha256: sha256(bytes), filename: `noise-${size}.png` }
}

/** A file in the form of `import/base64`. */
export function dataUrl({ bytes }: Content): string {
  return `data:application/octet-stream;base64,${bytes.toString('base64')}`
}
