import {
  booleanOption,
  enumOption,
  integerOption,
  passwordOption,
  textOption,
  unlessNot,
} from '../option-descriptor.ts'
import { pagesOption, pagesPattern } from '../page-ranges.ts'

/** Opens a protected document. */
export const password = passwordOption({
  name: 'password',
  label: 'Password',
  hint: 'Password of a protected document.',
})

/** Protects the result. */
export const outputPassword = passwordOption({
  name: 'output_password',
  label: 'Password of the result',
  hint: 'Encrypt the PDF. Readers must enter this password to open it.',
})

/** Orientation of the paper. */
export const orientation = enumOption(
  {
    name: 'orientation',
    label: 'Orientation',
    hint: 'Orientation of the pages. Default: as in the document.',
  },
  { portrait: 'Portrait', landscape: 'Landscape' },
)

export const sheets = textOption(
  {
    name: 'sheets',
    label: 'Sheets',
    hint: 'Sheets to convert, such as 1-3,5. Default: all sheets.',
  },
  { pattern: pagesPattern, maxLength: 1000, expects: 'sheet numbers or ranges such as 1-3,5' },
)

export const fitToWidth = booleanOption(
  {
    name: 'fit_to_width',
    label: 'Fit to width',
    hint: 'Scale every sheet so that all its columns fit on one page.',
  },
  false,
)

const noArchive = unlessNot('pdf_a', 'none', 'No PDF/A')

const pdfA = enumOption(
  { name: 'pdf_a', label: 'PDF/A', hint: 'Write PDF/A for long-term archiving.' },
  { none: 'No PDF/A', '1b': 'PDF/A-1b', '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
  'none',
)

const pdfVersion = enumOption(
  {
    name: 'pdf_version',
    label: 'PDF version',
    hint: 'PDF version of the result. PDF/A sets its own version.',
    conditions: [noArchive],
  },
  { '1.5': 'PDF 1.5', '1.6': 'PDF 1.6', '1.7': 'PDF 1.7', '2.0': 'PDF 2.0' },
  '1.7',
)

const losslessImages = booleanOption(
  { name: 'lossless_images', label: 'Lossless images', hint: 'Keep images in the PDF lossless.' },
  false,
)

const imageQuality = integerOption(
  {
    name: 'image_quality',
    label: 'Image quality',
    hint: 'JPEG quality of images in the PDF (1-100). Higher looks better and makes the file larger.',
    conditions: [unlessNot('lossless_images', 'false', 'Lossy')],
  },
  { min: 1, max: 100, byDefault: 90 },
)

const imageDpi = enumOption(
  {
    name: 'image_dpi',
    label: 'Image resolution',
    hint: 'Maximum resolution of images in the PDF. Default: unchanged.',
  },
  { '75': '75 dpi', '150': '150 dpi', '300': '300 dpi', '600': '600 dpi', '1200': '1200 dpi' },
)

const bookmarks = booleanOption(
  { name: 'bookmarks', label: 'Bookmarks', hint: 'Add headings, sheets or slides to the outline of the PDF.' },
  true,
)

/** The defaults that LibreOffice also uses, by option name. */
export const officeDefaults: ReadonlyMap<string, string> = new Map(
  [fitToWidth, pdfVersion, imageQuality, bookmarks].map(({ name, default_value }) => [name, default_value]),
)

/** The options for the PDF of any document. */
export const pdfOptions = [
  pagesOption('Pages to convert. Default: all pages.'),
  pdfA,
  pdfVersion,
  losslessImages,
  imageQuality,
  imageDpi,
  bookmarks,
  // A PDF/A archive must stay readable for everyone.
  { ...outputPassword, conditions: [noArchive] },
]

const separators = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar', space: 'Space' }

const encodings = {
  'utf-8': 'UTF-8',
  'utf-16': 'UTF-16',
  'windows-1252': 'Western European (Windows)',
  'iso-8859-1': 'Western European (ISO)',
  'iso-8859-15': 'Western European with Euro (ISO)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  'shift-jis': 'Japanese (Shift-JIS)',
  gb18030: 'Chinese, simplified (GB 18030)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC-KR)',
}

/** The options for reading a CSV file. */
export const csvInput = [
  enumOption(
    { name: 'separator', label: 'Separator', hint: 'Character between cells.' },
    { auto: 'Detect from the first lines', ...separators },
    'auto',
  ),
  enumOption({ name: 'encoding', label: 'Encoding', hint: 'Character encoding of the result.' }, encodings, 'utf-8'),
  booleanOption(
    {
      name: 'formulas',
      label: 'Formulas',
      hint: 'Evaluate cells that begin with = as formulas. Otherwise they stay text.',
    },
    false,
  ),
]

/** The options for writing a CSV file. */
export const csvOutput = [
  integerOption(
    { name: 'sheet', label: 'Sheet', hint: 'Number of the sheet to convert, from 1.' },
    { min: 1, max: 10_000, byDefault: 1 },
  ),
  enumOption({ name: 'separator', label: 'Separator', hint: 'Character between cells.' }, separators, 'comma'),
  enumOption({ name: 'encoding', label: 'Encoding', hint: 'Character encoding of the result.' }, encodings, 'utf-8'),
  booleanOption(
    { name: 'quote_text', label: 'Quote text', hint: 'Put all text cells into quotes, not only where it is needed.' },
    false,
  ),
]
