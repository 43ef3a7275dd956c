import {
  booleanOption,
  enumOption,
  integerOption,
  needs,
  needsAny,
  numberOption,
  passwordOption,
  textOption,
  unlessNot,
} from '../option-descriptor.ts'
import { pagesForm, pagesOption } from '../page-ranges.ts'
import { pdfLimits } from '../pages/limits.ts'
import { pages, password } from '../pages/options.ts'
import { strict } from '../strict-option.ts'

const isTrue = [{ value: 'true', hint: 'Yes' }]
const noArchive = unlessNot('pdf_a', 'none', 'No PDF/A')

const keepAttachments = booleanOption(
  { name: 'keep_attachments', label: 'Keep attachments', hint: 'Keep files that are attached to the PDF.' },
  false,
)

/** The options of everything that makes a PDF from PDFs. */
export const common = [password, keepAttachments]

/** The options of everything that makes a PDF from one PDF. */
export const ofOne = [...common, strict]

export const turns = { '90': '90 degrees clockwise', '180': '180 degrees', '270': '270 degrees clockwise' }

const rotateOptions = [
  enumOption(
    { name: 'rotate', label: 'Rotate', hint: 'Rotate pages clockwise.' },
    { '0': 'No rotation', ...turns },
    '0',
  ),
  textOption(
    {
      name: 'rotate_pages',
      label: 'Rotate pages',
      hint: 'Pages of the result to rotate, such as 1-3,5,8-. Default: all pages.',
      conditions: [
        needs(
          'rotate',
          Object.entries(turns).map(([value, hint]) => ({ value, hint })),
        ),
      ],
    },
    pagesForm,
  ),
]

// Without an owner password the user password is also the owner password, and owners are not restricted.
const restricts = needsAny('owner_password', 'Any password')

/** Who may open the result, and what readers may do with it. */
export const lockOptions = [
  passwordOption({
    name: 'output_password',
    label: 'New password',
    hint: 'Encrypt the result with 256-bit AES. Readers must enter this password to open it.',
    conditions: [noArchive],
  }),
  passwordOption({
    name: 'owner_password',
    label: 'Owner password',
    hint: 'Password that lifts the restrictions set by allow_printing, allow_changes and allow_copying.',
    conditions: [noArchive],
  }),
  enumOption(
    {
      name: 'allow_printing',
      label: 'Printing',
      hint: 'What readers may print.',
      conditions: [restricts],
    },
    { full: 'Any resolution', low: 'Low resolution only', none: 'No printing' },
    'full',
  ),
  enumOption(
    {
      name: 'allow_changes',
      label: 'Changes',
      hint: 'What readers may change.',
      conditions: [restricts],
    },
    {
      all: 'Everything',
      annotate: 'Comments and form fields',
      form: 'Form fields',
      assembly: 'Page order and rotation',
      none: 'Nothing',
    },
    'all',
  ),
  booleanOption(
    {
      name: 'allow_copying',
      label: 'Copying',
      hint: 'Whether readers may copy text and images.',
      conditions: [restricts],
    },
    true,
  ),
]

/** The languages whose text can be recognized. */
export const languages = {
  eng: 'English',
  deu: 'German',
  fra: 'French',
  spa: 'Spanish',
  ita: 'Italian',
  por: 'Portuguese',
  rus: 'Russian',
  ara: 'Arabic',
  chi_sim: 'Chinese (simplified)',
  jpn: 'Japanese',
}

const ocrOptions = [
  booleanOption(
    {
      name: 'ocr',
      label: 'Recognize text (OCR)',
      hint: 'Add a searchable text layer to scanned pages. Pages that already have text are not changed.',
    },
    false,
  ),
  enumOption(
    {
      name: 'ocr_language',
      label: 'OCR language',
      hint: 'Language of the text to recognize.',
      conditions: [needs('ocr', isTrue)],
    },
    languages,
    'eng',
  ),
]

/** The options of a PDF that stays a PDF. */
export const rewriteOptions = [
  pages,
  ...ofOne,
  ...rotateOptions,
  booleanOption(
    { name: 'flatten', label: 'Flatten', hint: 'Make form fields and comments part of the page content.' },
    false,
  ),
  booleanOption(
    {
      name: 'linearize',
      label: 'Fast web view',
      hint: 'Linearize the file so that browsers show the first page while the rest downloads.',
    },
    false,
  ),
  enumOption(
    { name: 'pdf_a', label: 'PDF/A', hint: 'Write PDF/A for long-term archiving.' },
    { none: 'No PDF/A', '1b': 'PDF/A-1b', '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
    'none',
  ),
  enumOption(
    {
      name: 'pdf_version',
      label: 'PDF version',
      hint: 'PDF version of the result. Default: the version of the input.',
      conditions: [noArchive],
    },
    { '1.4': 'PDF 1.4', '1.5': 'PDF 1.5', '1.6': 'PDF 1.6', '1.7': 'PDF 1.7', '2.0': 'PDF 2.0' },
  ),
  ...lockOptions,
  ...ocrOptions,
]

const reducing = [
  { value: 'medium', hint: 'Smaller' },
  { value: 'high', hint: 'Much smaller' },
  { value: 'extreme', hint: 'As small as possible' },
]

/** The options of compression. */
export const compressOptions = [
  enumOption(
    { name: 'level', label: 'Level', hint: 'How much image quality may be lost.' },
    {
      low: 'Lossless: repack the file only',
      medium: 'Slightly lossy: images at 150 dpi, JPEG quality 75',
      high: 'Visibly lossy: images at 110 dpi, all as JPEG quality 60',
      extreme: 'Very lossy: images at 72 dpi, all as JPEG quality 40',
    },
    'medium',
  ),
  integerOption(
    {
      name: 'dpi',
      label: 'Resolution',
      hint: 'Maximum resolution of images in the PDF. Default: set by level.',
      units: 'dpi',
      conditions: [unlessReducing()],
    },
    { min: 18, max: 1200 },
  ),
  integerOption(
    {
      name: 'quality',
      label: 'Quality',
      hint: 'JPEG quality of images in the PDF (1-100). Higher looks better and makes the file larger. Default: set by level.',
      conditions: [unlessReducing()],
    },
    { min: 1, max: 100 },
  ),
  ...ofOne,
]

function unlessReducing() {
  return { ...needs('level', reducing), required: false }
}

/** The options of cropping. */
export const cropOptions = [
  edge('x', 'Distance from the left edge of the page to the area to keep.', { min: 0, byDefault: 0 }),
  edge('y', 'Distance from the top edge of the page to the area to keep.', { min: 0, byDefault: 0 }),
  edge('width', 'Width of the area to keep. Default: up to the right edge.', { min: 1 }),
  edge('height', 'Height of the area to keep. Default: up to the bottom edge.', { min: 1 }),
  pagesOption('Pages to crop; other pages are not changed. Default: all pages.'),
  booleanOption(
    {
      name: 'erase',
      label: 'Erase',
      hint: 'Remove content outside the area from the file instead of only hiding it.',
    },
    true,
  ),
  ...ofOne,
]

function edge(name: 'x' | 'y' | 'width' | 'height', hint: string, range: { min: number; byDefault?: number }) {
  const label = name.length === 1 ? name.toUpperCase() : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return numberOption({ name, label, hint, units: 'pt' }, { max: pdfLimits.points, ...range })
}

/** The options of trimming. */
export const trimOptions = [pagesOption('Pages to keep, in this order.'), ...ofOne]
