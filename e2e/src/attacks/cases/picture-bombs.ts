import { gifOf } from '../../../../fixtures/attacks/gif.ts'
import { icoOf } from '../../../../fixtures/attacks/ico.ts'
import { apngOf, pngOf } from '../../../../fixtures/attacks/png.ts'
import { endlessSvgs, svgOf } from '../../../../fixtures/attacks/svg.ts'
import { tiffOf } from '../../../../fixtures/attacks/tiff.ts'
import { animatedWebpOf } from '../../../../fixtures/attacks/webp.ts'
import type { Attack, Variant } from '../support/attack.ts'

const pixels: Attack = {
  id: 'B02',
  title: 'pictures that claim more pixels than allowed are refused from their heads',
  variants: () => [
    { what: 'a PNG of one colour, 14,000 x 14,000', filename: 'x.png', content: oneColour(14_000), to: 'jpg' },
    limited('65,535 x 65,535', 'x.png', pngOf({ width: 65_535, height: 65_535 })),
    limited('one row of 268,402,690', 'x.png', pngOf({ width: 268_402_690, height: 1 })),
    limited('one column of 268,402,690', 'x.png', pngOf({ width: 1, height: 268_402_690 })),
    limited(
      '16 bits a sample with alpha',
      'x.png',
      pngOf({ width: 40_000, height: 40_000, bitDepth: 16, colourType: 6 }),
    ),
    limited('a TIFF in strips', 'x.tiff', tiffOf({ width: 65_535, height: 65_535 })),
    limited('a TIFF in tiles', 'x.tiff', tiffOf({ width: 65_535, height: 65_535, tiles: true })),
    limited('JPEG 2000', 'x.jp2', jp2Of(65_535)),
    limited('PNM', 'x.ppm', Buffer.from('P6\n99999 99999\n255\n\0\0\0')),
    limited('PNM with numbers that wrap', 'x.ppm', Buffer.from('P6\n4294967297 4294967297\n255\n\0\0\0')),
  ],
  atOnce: 2,
}

const frames: Attack = {
  id: 'B03',
  title: 'animations and pages are counted as frames times area',
  variants: () => [
    limited(
      '100,000 frames of a pixel on 65,535 x 65,535',
      'x.gif',
      gifOf({ width: 65_535, height: 65_535, frames: 100_000 }),
      'webp',
    ),
    limited(
      'an animated WebP on the largest canvas',
      'x.webp',
      animatedWebpOf({ width: 16_383, height: 16_383, frames: 100 }),
      'gif',
    ),
    { what: 'an animated PNG of 4,000 frames', filename: 'x.png', content: apngOf(2_000, 2_000, 4_000), to: 'gif' },
    {
      what: 'a TIFF of 50,000 pages',
      filename: 'x.tiff',
      content: tiffOf({ width: 8, height: 8, pages: 50_000 }),
      to: 'gif',
    },
    {
      what: 'a TIFF whose pages go in a circle',
      filename: 'x.tiff',
      content: tiffOf({ width: 1, height: 1, pages: 3, isCircle: true }),
      to: 'webp',
    },
    limited('an icon of 65,535 pictures', 'x.ico', icoOf(65_535)),
    limited('a sequence of AVIF pictures', 'x.avif', avifSequence()),
  ],
  atOnce: 2,
}

const drawings: Attack = {
  id: 'B05',
  title: 'drawings without end are refused, or stopped in time',
  variants: () => [
    ...Object.entries(endlessSvgs()).map(
      ([what, content]): Variant => ({
        what,
        filename: 'x.svg',
        content,
        to: 'png',
        isSlow: /octaves within/.test(what),
      }),
    ),
    limited('a path of 33 MiB', 'x.svg', svgOf(`<path d="M0 0${'L1 1'.repeat((33 * 1024 ** 2) / 4)}"/>`)),
  ],
  atOnce: 2,
  // The wall clock limit of an image, 120 s, stops turbulence.
  withinMs: 150_000,
}

function limited(what: string, filename: string, content: Uint8Array | string, to = 'jpg'): Variant {
  return { what, filename, content, to, end: 'limited' }
}

/** Small to send, but with all of its rows. */
function oneColour(side: number): Buffer {
  return pngOf({ width: side, height: side, colourType: 0 }, { rows: side })
}

/** The header of a JPEG 2000 codestream that claims a size. */
function jp2Of(side: number): Buffer {
  const size = Buffer.alloc(4 + 38 + 9)
  size.writeUInt32BE(0xff4fff51, 0)
  size.writeUInt16BE(47, 4)
  size.writeUInt32BE(side, 8)
  size.writeUInt32BE(side, 12)
  size.writeUInt32BE(side, 24)
  size.writeUInt32BE(side, 28)
  size.writeUInt16BE(3, 40)
  for (let n = 0; n < 3; n++) size.set([7, 1, 1], 42 + n * 3)
  return size
}

/** Only the claim to be a sequence. */
function avifSequence(): Buffer {
  return Buffer.from('\0\0\0\x20ftypavis\0\0\0\0avisavifmsf1miaf\0\0\0\x08moov', 'latin1')
}

/** Attacks with the size of decoded data. */
export const pictureBombs: readonly Attack[] = [pixels, frames, drawings]
