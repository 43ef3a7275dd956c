import {
  booleanOption,
  enumOption,
  integerOption,
  type OptionDescriptor,
  passwordOption,
} from '../option-descriptor.ts'
import { pdfLimits } from './limits.ts'
import { pagesOption } from './page-ranges.ts'

/** What opens a protected document. */
export const password = passwordOption({
  name: 'password',
  label: 'Password',
  hint: 'Opens a protected PDF: the password of its owner or the one that readers are asked for.',
})

export const pages = pagesOption('Which pages to take; all if left out.')

function sideOption(name: 'width' | 'height'): OptionDescriptor {
  const label = name === 'width' ? 'Width' : 'Height'
  const hint = `${label} of each picture. The other side follows; with both, a page is as large as fits. Counts instead of dpi.`
  return integerOption({ name, label, hint, units: 'px' }, { min: 1, max: pdfLimits.side })
}

const gray = booleanOption({ name: 'gray', label: 'Gray', hint: 'Draws in shades of gray.' }, false)

export const dpi = integerOption(
  {
    name: 'dpi',
    label: 'Resolution',
    hint: 'Pixels an inch. Left out, pages too large for it are drawn as large as is allowed.',
    units: 'dpi',
  },
  { min: 1, max: 2400, byDefault: 150 },
)

/** How pages become pictures, whatever the format. */
export const drawOptions: readonly OptionDescriptor[] = [
  pages,
  dpi,
  sideOption('width'),
  sideOption('height'),
  gray,
  password,
]

export const quality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Higher looks better and takes more room.' },
  { min: 1, max: 100, byDefault: 90 },
)

export const transparent = booleanOption(
  { name: 'transparent', label: 'Transparent', hint: 'Leaves the paper out, so that what lies below shows through.' },
  false,
)

/** How text is taken out of pages. */
export const textOptions: readonly OptionDescriptor[] = [
  pages,
  enumOption(
    { name: 'layout', label: 'Layout', hint: 'In what order and where the words stand.' },
    {
      reading: 'As it is read, column after column',
      page: 'As on the page, columns side by side',
      raw: 'As the document holds it',
    },
    'reading',
  ),
  password,
]

/** The same for what has no password. */
export const openDrawOptions = drawOptions.filter(({ name }) => name !== 'password')

/** What a document becomes as a whole, beside its pages. */
export const documentOptions: readonly OptionDescriptor[] = [pages, password]
