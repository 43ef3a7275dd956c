import { printBounds } from '@lathe/operations'
import { booleanOption, enumOption, integerOption, numberOption, type OptionValues } from '../option-descriptor.ts'
import { pagesOption } from '../page-ranges.ts'

const media = (byDefault: 'screen' | 'print') =>
  enumOption(
    { name: 'media', label: 'Media', hint: 'What the page is made up for.' },
    { screen: 'A screen', print: 'Paper' },
    byDefault,
  )

const sideOption = (name: 'viewport_width' | 'viewport_height', label: string, byDefault: number) =>
  integerOption(
    { name, label, hint: `${label} that the page is laid out for.`, units: 'px' },
    { min: 64, max: 4096, byDefault },
  )

const viewportWidth = sideOption('viewport_width', 'Width of the window', 1280)

const paperSize = enumOption(
  { name: 'paper_size', label: 'Paper size', hint: 'The sheets the page is printed on.' },
  { a3: 'A3', a4: 'A4', a5: 'A5', letter: 'Letter', legal: 'Legal', tabloid: 'Tabloid' },
  'a4',
)

const orientation = enumOption(
  { name: 'orientation', label: 'Orientation', hint: 'Which way round the sheets lie.' },
  { portrait: 'Upright', landscape: 'Across' },
  'portrait',
)

/** What paper is printed on, with this much empty space around by default; for everything that Chromium prints. */
export function paperOptions({ margin }: { margin: number }) {
  return [
    paperSize,
    orientation,
    numberOption(
      { name: 'margin', label: 'Margin', hint: 'Empty space on all four sides of each page.', units: 'mm' },
      { ...printBounds.margin, byDefault: margin },
    ),
  ]
}

/** How a page is printed. */
export const printOptions = [
  ...paperOptions({ margin: printBounds.margin.byDefault }),
  booleanOption(
    { name: 'print_background', label: 'Backgrounds', hint: 'Prints background colours and pictures, too.' },
    true,
  ),
  numberOption(
    { name: 'scale', label: 'Scale', hint: 'Makes everything on the sheets larger or smaller.' },
    printBounds.scale,
  ),
  pagesOption('Which printed pages to take; all if left out.'),
  media('print'),
]

export type PrintOptions = OptionValues<(typeof printOptions)[number]>

/** How a page is drawn. */
export const pictureOptions = [
  viewportWidth,
  sideOption('viewport_height', 'Height of the window', 800),
  booleanOption(
    { name: 'full_page', label: 'Full page', hint: 'Draws all of the page, not only what the window shows.' },
    true,
  ),
  media('screen'),
]

export const quality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Higher looks better and takes more room.' },
  printBounds.quality,
)
