import type { Ability } from '../engine.ts'
import { abilities as officeAbilities } from '../office/abilities.ts'
import { abilities as pictureAbilities } from '../vips/abilities.ts'
import { compressOptions, cropOptions, rewriteOptions, trimOptions } from './document-options.ts'
import { drawingMergeOptions, mergeOptions } from './merge-options.ts'
import { documentOptions, drawOptions, quality, textOptions, transparent } from './options.ts'

const from = 'pdf'

/** Everything this engine does. */
export const abilities: readonly Ability[] = [
  { operation: 'convert', from, to: 'png', options: [...drawOptions, transparent] },
  { operation: 'convert', from, to: 'jpg', options: [...drawOptions, quality] },
  { operation: 'convert', from, to: 'tiff', options: drawOptions },
  { operation: 'convert', from, to: 'svg', options: documentOptions },
  { operation: 'convert', from, to: 'txt', options: textOptions },
  { operation: 'convert', from, to: 'html', options: documentOptions },
  { operation: 'convert', from, to: 'pdf', options: rewriteOptions },
  { operation: 'compress', from, to: 'pdf', options: compressOptions },
  { operation: 'crop', from, to: 'pdf', options: cropOptions },
  { operation: 'trim', from, to: 'pdf', options: trimOptions },
  ...mergeable().map(merge),
]

/** Whatever becomes a PDF by itself can become a part of one. */
function mergeable(): readonly string[] {
  const pages = [...pictureAbilities, ...officeAbilities].filter(
    ({ operation, to }) => operation === 'convert' && to === 'pdf',
  )
  return ['pdf', ...new Set(pages.map((ability) => ability.from))]
}

function merge(format: string): Ability {
  return { operation: 'merge', from: format, to: 'pdf', options: format === 'svg' ? drawingMergeOptions : mergeOptions }
}
