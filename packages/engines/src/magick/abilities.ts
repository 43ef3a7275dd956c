import type { Ability } from '../engine.ts'
import { readable as vipsReadable } from '../vips/abilities.ts'
import { writable as vipsWritable } from '../vips/encoder-options.ts'
import { readable } from './decoders.ts'
import { writable } from './encoders.ts'
import { optionsFor } from './options.ts'

/** Every pair of pictures of which libvips alone cannot do one side. */
export const abilities: readonly Ability[] = [
  ...readable.flatMap((from) => [...vipsWritable, ...writable].map((to) => convert(from, to))),
  ...vipsReadable.flatMap((from) => writable.map((to) => convert(from, to))),
]

function convert(from: string, to: string): Ability {
  return { operation: 'convert', from, to, options: optionsFor(from, to) }
}
