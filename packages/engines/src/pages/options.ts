import {
  booleanOption,
  enumOption,
  integerOption,
  type OptionDescriptor,
  type OptionValues,
  passwordOption,
} from '../option-descriptor.ts'
import { pagesOption } from '../page-ranges.ts'
import { strict } from '../strict-option.ts'
import { pdfLimits } from './limits.ts'

/** The password of a protected input. */
export const password = passwordOption({
  name: 'password',
  label: 'Password',
  hint: 'Password of a protected PDF: the user password or the owner password.',
})

export const pages = pagesOption('Pages to convert. Default: all pages.')

function sideOption(name: 'width' | 'height') {
  const label = name === 'width' ? 'Width' : 'Height'
  const hint = `${label} of each image. The other side keeps the proportions; with both, the page is fitted into the box. Overrides dpi.`
  return integerOption({ name, label, hint, units: 'px' }, { min: 1, max: pdfLimits.side })
}

const gray = booleanOption({ name: 'gray', label: 'Grayscale', hint: 'Render pages in grayscale.' }, false)

/** The default resolution of rendered pages. */
export const usualDpi = 150

export const dpi = integerOption(
  {
    name: 'dpi',
    label: 'Resolution',
    hint: `Resolution of rendered pages. At the default, pages that would exceed ${pdfLimits.side} pixels are scaled down.`,
    units: 'dpi',
  },
  { min: 1, max: 2400, byDefault: usualDpi },
)

/** The options of every raster format. */
export const drawOptions = [pages, dpi, sideOption('width'), sideOption('height'), gray, password]

/** Describes the quality of a lossy image format. */
export function qualityOption(byDefault: number) {
  const hint = 'Image quality (1-100). Higher looks better and makes the file larger.'
  return integerOption({ name: 'quality', label: 'Quality', hint }, { min: 1, max: 100, byDefault })
}

/** The quality of JPEG. */
export const quality = qualityOption(90)

export const transparent = booleanOption(
  { name: 'transparent', label: 'Transparent', hint: 'Leave the page background transparent instead of white.' },
  false,
)

/** How pages are rendered. */
export type DrawOptions = OptionValues<(typeof drawOptions)[number] | typeof quality | typeof transparent>

/** The options of text extraction. */
export const textOptions = [
  pages,
  enumOption(
    { name: 'layout', label: 'Layout', hint: 'How the text is arranged.' },
    {
      reading: 'Reading order, column after column',
      page: 'As on the page, columns side by side',
      raw: 'In the order of the content stream',
    },
    'reading',
  ),
  password,
  strict,
]

/** The same options without the password, for formats that have none. */
export function withoutPassword<Option extends OptionDescriptor>(options: readonly Option[]): readonly Option[] {
  return options.filter(({ name }) => name !== 'password')
}

/** The options of exports that take no others. */
export const documentOptions = [pages, password, strict]
