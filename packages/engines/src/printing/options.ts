import { printBounds } from '@lathe/operations'
import { booleanOption, enumOption, integerOption, numberOption, type OptionValues } from '../option-descriptor.ts'
import { pagesOption } from '../page-ranges.ts'

const media = (byDefault: 'screen' | 'print') =>
  enumOption(
    { name: 'media', label: 'Media', hint: 'CSS media type used to render the page.' },
    { screen: 'Screen', print: 'Print' },
    byDefault,
  )

const sideOption = (name: 'viewport_width' | 'viewport_height', label: string, byDefault: number) =>
  integerOption(
    { name, label, hint: `${label} in which the page is laid out.`, units: 'px' },
    { min: 64, max: 4096, byDefault },
  )

const viewportWidth = sideOption('viewport_width', 'Width of the browser window', 1280)

const paperSize = enumOption(
  { name: 'paper_size', label: 'Paper size', hint: 'Paper size.' },
  { a3: 'A3', a4: 'A4', a5: 'A5', letter: 'Letter', legal: 'Legal', tabloid: 'Tabloid' },
  'a4',
)

const orientation = enumOption(
  { name: 'orientation', label: 'Orientation', hint: 'Orientation of the pages.' },
  { portrait: 'Portrait', landscape: 'Landscape' },
  'portrait',
)

/** The paper options for everything that Chromium prints, with this default margin. */
export function paperOptions({ margin }: { margin: number }) {
  return [
    paperSize,
    orientation,
    numberOption(
      { name: 'margin', label: 'Margin', hint: 'Margin on all four sides of each page.', units: 'mm' },
      { ...printBounds.margin, byDefault: margin },
    ),
  ]
}

/** How a page is printed. */
export const printOptions = [
  ...paperOptions({ margin: printBounds.margin.byDefault }),
  booleanOption({ name: 'print_background', label: 'Backgrounds', hint: 'Print background colors and images.' }, true),
  numberOption({ name: 'scale', label: 'Scale', hint: 'Scale of the printed page.' }, printBounds.scale),
  pagesOption('Pages of the printed result to keep. Default: all pages.'),
  media('print'),
]

export type PrintOptions = OptionValues<(typeof printOptions)[number]>

/** How a page is drawn. */
export const pictureOptions = [
  viewportWidth,
  sideOption('viewport_height', 'Height of the browser window', 800),
  booleanOption(
    { name: 'full_page', label: 'Full page', hint: 'Capture the full page, not only the visible part.' },
    true,
  ),
  media('screen'),
]

export const quality = integerOption(
  { name: 'quality', label: 'Quality', hint: 'Quality (1-100). Higher looks better and makes the file larger.' },
  printBounds.quality,
)
