import { booleanOption, enumOption, needs, numberOption } from '../option-descriptor.ts'
import { strict } from '../strict-option.ts'
import { strip } from './picture-options.ts'

/** Pages as large as their images. */
export const sameAsImage = 'same-as-image'

/**
 * Page sizes as pixels at 150 dpi: the unit of the API's own A4 and A3.
 * Inches are rounded to three places first, so 8.268 in x 150 is 1240.2.
 */
const pageSizes = {
  [sameAsImage]: 'Same as image',
  '1240.2x1753.95': 'A4',
  '1753.95x2480.25': 'A3',
  '4966.5x7021.65': 'A0',
  '3507.9x4966.5': 'A1',
  '2480.25x3507.9': 'A2',
  '874.05x1240.2': 'A5',
  '620.1x874.05': 'A6',
  '1476.45x2084.7': 'B4',
  '1039.35x1476.45': 'B5',
  '1275x1650': 'Letter',
  '1275x2100': 'Legal',
  '1650x2550': 'Tabloid',
  '1087.5x1575': 'Executive',
}

const pageSize = enumOption(
  { name: 'pdf_page_size', label: 'Page size', hint: 'Size of every page. Default: the size of each image.' },
  pageSizes,
)

/** The options for making pages of images. */
export const pdfOptions = [
  strip,
  pageSize,
  booleanOption(
    {
      name: 'enlarge_images_to_fit',
      label: 'Enlarge images to fit',
      hint: 'Enlarge images that are smaller than the page.',
      conditions: [needs('pdf_page_size', pageSize.enum_values ?? [])],
    },
    true,
  ),
  strict,
]

/** Additional options of a merge. The conversion of one image has only the options of the specification. */
export const sheetOptions = [
  enumOption(
    {
      name: 'pdf_orientation',
      label: 'Orientation',
      hint: 'Orientation of the pages.',
      conditions: [needs('pdf_page_size', pageSize.enum_values ?? [])],
    },
    { portrait: 'Portrait', landscape: 'Landscape', auto: 'Same as each image' },
    'portrait',
  ),
  numberOption(
    { name: 'pdf_margin', label: 'Margin', hint: 'White margin around every image.', units: 'pt' },
    { min: 0, max: 360, byDefault: 0 },
  ),
]

/** The size of a page in points, or `undefined` if each page is as large as its image. */
export function pagePoints(value: unknown): { width: number; height: number } | undefined {
  if (typeof value !== 'string' || value === '' || value === sameAsImage) return undefined
  const [width = 0, height = 0] = value.split('x').map((side) => (Number(side) * 72) / 150)
  return { width, height }
}
