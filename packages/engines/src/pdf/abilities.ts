import { findFormat } from '@lathe/formats'
import type { Ability } from '../engine.ts'
import { abilities as officeAbilities } from '../office/abilities.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { abilities as pictureAbilities } from '../vips/abilities.ts'
import { compressOptions, cropOptions, rewriteOptions, trimOptions } from './document-options.ts'
import { drawingMergeOptions, framePageOptions, mergeOptions } from './merge-options.ts'
import { documentOptions, drawOptions, openDrawOptions, pages, quality, textOptions, transparent } from './options.ts'
import { postscriptFormats } from './postscript.ts'
import { recodedFormats } from './recode.ts'
import { officeTargets } from './to-office.ts'

const from = 'pdf'

// One list for pairs that offer the same: lists are told apart by identity.
const choice: readonly OptionDescriptor[] = [pages]
const drawn: Readonly<Record<string, readonly OptionDescriptor[]>> = {
  png: [...openDrawOptions, transparent],
  jpg: [...openDrawOptions, quality],
  tiff: openDrawOptions,
  svg: choice,
  pdf: choice,
}

const recodeOptions = [...drawOptions, transparent, quality]

/** Everything this engine does. */
export const abilities: readonly Ability[] = [
  { operation: 'convert', from, to: 'png', options: [...drawOptions, transparent] },
  { operation: 'convert', from, to: 'jpg', options: [...drawOptions, quality] },
  { operation: 'convert', from, to: 'tiff', options: drawOptions },
  ...recodedFormats.map((to): Ability => ({ operation: 'convert', from, to, options: recodeOptions })),
  { operation: 'convert', from, to: 'svg', options: documentOptions },
  { operation: 'convert', from, to: 'txt', options: textOptions },
  { operation: 'convert', from, to: 'html', options: documentOptions },
  ...officeTargets.map((to): Ability => ({ operation: 'convert', from, to, options: documentOptions })),
  { operation: 'convert', from, to: 'pdf', options: rewriteOptions },
  { operation: 'compress', from, to: 'pdf', options: compressOptions },
  { operation: 'crop', from, to: 'pdf', options: cropOptions },
  { operation: 'trim', from, to: 'pdf', options: trimOptions },
  ...postscriptFormats.flatMap(postscript),
  ...mergeable().map(merge),
  { operation: 'merge', from, to: 'gif', options: framePageOptions },
  // Pictures alone are left to their own engine, which comes first; beside a document they are frames here.
  ...pictureAbilities.filter(({ operation }) => operation === 'merge'),
]

function postscript(format: string): readonly Ability[] {
  return Object.entries(drawn).map(([to, options]) => ({ operation: 'convert', from: format, to, options }))
}

/** The interface merges pictures and PDFs, so a document has to become a PDF first. */
function mergeable(): readonly string[] {
  const pages = [...pictureAbilities, ...officeAbilities].filter(
    ({ operation, to, from }) => operation === 'convert' && to === 'pdf' && findFormat(from)?.family === 'image',
  )
  return ['pdf', ...new Set(pages.map((ability) => ability.from))]
}

function merge(format: string): Ability {
  return { operation: 'merge', from: format, to: 'pdf', options: format === 'svg' ? drawingMergeOptions : mergeOptions }
}
