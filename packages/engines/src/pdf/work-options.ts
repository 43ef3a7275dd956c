import { booleanOption, enumOption, integerOption, textOption } from '../option-descriptor.ts'
import { pagesForm, pagesOption } from '../page-ranges.ts'
import { pdfLimits } from '../pages/limits.ts'
import { pageMethodOptions, pageMethods, splitMethods } from '../split/methods.ts'
import { pageMarkOptions } from '../watermark/options.ts'
import { languages, lockOptions, ofOne, turns } from './document-options.ts'

/** The options of rotating. */
export const rotateOptions = [
  enumOption({ name: 'angle', label: 'Angle', hint: 'How far the pages are rotated.' }, turns, '90'),
  pagesOption('Pages to rotate; other pages are not changed. Default: all pages.'),
  ...ofOne,
]

/** The options of reordering. */
export const reorderOptions = [
  textOption(
    {
      name: 'order',
      label: 'Order',
      hint: 'Pages in their new order, such as 3,1-2 or 10-1. A page listed twice appears twice. Pages that are not listed follow in their old order.',
    },
    pagesForm,
  ),
  ...ofOne,
]

const { by, onlyBy } = splitMethods(
  { ...pageMethods, bookmarks: 'At each top-level bookmark', size: 'Before a file exceeds max_size' },
  'pages',
)

/** The options of splitting. */
export const splitOptions = [
  by,
  ...pageMethodOptions(onlyBy, pdfLimits.pages),
  integerOption(
    {
      name: 'max_size',
      label: 'Maximum size',
      hint: 'Maximum size of each file. A single page that is larger becomes a file of its own.',
      units: 'bytes',
      conditions: [onlyBy('size')],
    },
    { min: 10_000, max: 10_000_000_000 },
  ),
  ...ofOne,
]

/** The options of a watermark. */
export const watermarkOptions = [
  ...pageMarkOptions,
  pagesOption('Pages that get the watermark; other pages are not changed. Default: all pages.'),
  ...ofOne,
]

/** The options of encrypting. */
export const encryptOptions = [
  // In a conversion their conditions refer to PDF/A, which does not exist here.
  ...lockOptions.map((option) => ({
    ...option,
    conditions: option.conditions.filter(({ name }) => name !== 'pdf_a'),
  })),
  ...ofOne,
]

/** The options of recognizing text. */
export const ocrOptions = [
  enumOption({ name: 'language', label: 'Language', hint: 'Language of the text.' }, languages, 'eng'),
  enumOption(
    { name: 'pages_with_text', label: 'Pages with text', hint: 'What happens to pages that already have text.' },
    {
      skip: 'Leave them unchanged',
      redo: 'Replace recognized text, keep the text of the document',
      force: 'Turn them into images and recognize all text again',
    },
    'skip',
  ),
  booleanOption(
    { name: 'rotate', label: 'Rotate', hint: 'Rotate pages that lie on their side or are upside down.' },
    false,
  ),
  booleanOption(
    {
      name: 'deskew',
      label: 'Deskew',
      hint: 'Straighten pages that were scanned at a slight angle.',
      conditions: [
        {
          name: 'pages_with_text',
          required: false,
          meta: [
            { value: 'skip', label: 'Skip' },
            { value: 'force', label: 'Force' },
          ],
        },
      ],
    },
    false,
  ),
  ...ofOne,
]

/** The same for an image, which has no text, password or attachments. */
export const imageOcrOptions = ocrOptions
  .filter(({ name }) => ['language', 'rotate', 'deskew'].includes(name))
  .map((option) => ({ ...option, conditions: [] }))

/** The options of hOCR. Positions are those of the original pages, so nothing is rotated. */
export const hocrOptions = ocrOptions.filter(
  ({ name }) => !['pages_with_text', 'rotate', 'deskew', 'keep_attachments'].includes(name),
)

export const imageHocrOptions = imageOcrOptions.filter(({ name }) => name === 'language')
