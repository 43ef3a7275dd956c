import type { Ability } from '../engine.ts'
import { drawOptions, quality, textOptions, transparent } from './options.ts'

/** Everything this engine does. */
export const abilities: readonly Ability[] = [
  { operation: 'convert', from: 'pdf', to: 'png', options: [...drawOptions, transparent] },
  { operation: 'convert', from: 'pdf', to: 'jpg', options: [...drawOptions, quality] },
  { operation: 'convert', from: 'pdf', to: 'tiff', options: drawOptions },
  { operation: 'convert', from: 'pdf', to: 'txt', options: textOptions },
]
