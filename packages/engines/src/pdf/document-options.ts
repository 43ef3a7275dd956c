import {
  booleanOption,
  enumOption,
  integerOption,
  needs,
  numberOption,
  type OptionDescriptor,
  passwordOption,
  textOption,
  unlessNot,
} from '../option-descriptor.ts'
import { pdfLimits } from './limits.ts'
import { pages, password } from './options.ts'
import { pagesOption, pagesPattern } from './page-ranges.ts'

const isTrue = [{ value: 'true', hint: 'Yes' }]
const noArchive = unlessNot('pdf_a', 'none', 'No PDF/A')

const keepAttachments = booleanOption(
  { name: 'keep_attachments', label: 'Keep attachments', hint: 'Keeps files that are attached to the PDF.' },
  false,
)

/** What every PDF that is made of another can be told. */
export const common: readonly OptionDescriptor[] = [password, keepAttachments]

const turns = { '90': 'A quarter, clockwise', '180': 'Half', '270': 'Three quarters, clockwise' }

const rotateOptions: readonly OptionDescriptor[] = [
  enumOption({ name: 'rotate', label: 'Rotate', hint: 'Turns pages clockwise.' }, { '0': 'Not at all', ...turns }, '0'),
  textOption(
    {
      name: 'rotate_pages',
      label: 'Rotate pages',
      hint: 'Which pages of the result to turn; all if left out. Numbers and ranges, such as 1-3,5,8-.',
      conditions: [
        needs(
          'rotate',
          Object.entries(turns).map(([value, hint]) => ({ value, hint })),
        ),
      ],
    },
    { pattern: pagesPattern, maxLength: 1000 },
  ),
]

const lockOptions: readonly OptionDescriptor[] = [
  passwordOption({
    name: 'output_password',
    label: 'New password',
    hint: 'Protects the result: readers are asked for it. 256-bit AES.',
    conditions: [noArchive],
  }),
  passwordOption({
    name: 'owner_password',
    label: 'Owner password',
    hint: 'Lifts the restrictions below. Without it they hold for everybody who has not the new password.',
    conditions: [noArchive],
  }),
  enumOption(
    { name: 'allow_printing', label: 'Printing', hint: 'What readers may print. Needs a new or an owner password.' },
    { full: 'Everything', low: 'In low resolution', none: 'Nothing' },
    'full',
  ),
  enumOption(
    { name: 'allow_changes', label: 'Changes', hint: 'What readers may change. Needs a new or an owner password.' },
    {
      all: 'Everything',
      annotate: 'Comments and forms',
      form: 'Forms',
      assembly: 'The order of pages',
      none: 'Nothing',
    },
    'all',
  ),
  booleanOption(
    {
      name: 'allow_copying',
      label: 'Copying',
      hint: 'Whether readers may take text and pictures out. Needs a new or an owner password.',
    },
    true,
  ),
]

const languages = {
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

const ocrOptions: readonly OptionDescriptor[] = [
  booleanOption(
    {
      name: 'ocr',
      label: 'Recognise text',
      hint: 'Lays text under pictures of text, so that it can be searched and copied. Pages with text stay as they are.',
    },
    false,
  ),
  enumOption(
    {
      name: 'ocr_language',
      label: 'Language',
      hint: 'The language of the text to recognise.',
      conditions: [needs('ocr', isTrue)],
    },
    languages,
    'eng',
  ),
]

/** What a PDF can become while it stays a PDF. */
export const rewriteOptions: readonly OptionDescriptor[] = [
  pages,
  ...common,
  ...rotateOptions,
  booleanOption(
    { name: 'flatten', label: 'Flatten', hint: 'Makes forms and comments part of the page: nothing can be filled in.' },
    false,
  ),
  booleanOption(
    { name: 'linearize', label: 'Fast web view', hint: 'Orders the file so that its first page shows while it loads.' },
    false,
  ),
  enumOption(
    { name: 'pdf_a', label: 'PDF/A', hint: 'Makes a PDF for archives: everything it needs is inside.' },
    { none: 'No PDF/A', '1b': 'PDF/A-1b', '2b': 'PDF/A-2b', '3b': 'PDF/A-3b' },
    'none',
  ),
  enumOption(
    {
      name: 'pdf_version',
      label: 'PDF version',
      hint: 'Writes it for readers of this version. Left out, the version stays as it is.',
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

/** How a PDF becomes smaller. */
export const compressOptions: readonly OptionDescriptor[] = [
  enumOption(
    { name: 'level', label: 'Level', hint: 'How much pictures may lose.' },
    {
      low: 'Nothing: only packed better',
      medium: 'A little: 150 dpi, JPEG of quality 75',
      high: 'Visibly: 110 dpi, everything as JPEG of quality 60',
      extreme: 'As much as it takes: 72 dpi, everything as JPEG of quality 40',
    },
    'medium',
  ),
  integerOption(
    {
      name: 'dpi',
      label: 'Resolution',
      hint: "Resolution of pictures that are finer; the level's if left out.",
      units: 'dpi',
      conditions: [unlessReducing()],
    },
    { min: 18, max: 1200 },
  ),
  integerOption(
    {
      name: 'quality',
      label: 'Quality',
      hint: "Quality of JPEG pictures; the level's if left out.",
      conditions: [unlessReducing()],
    },
    { min: 1, max: 100 },
  ),
  ...common,
]

function unlessReducing() {
  return { ...needs('level', reducing), required: false }
}

/** Which part of pages stays. */
export const cropOptions: readonly OptionDescriptor[] = [
  edge('x', 'Distance of the kept area from the left edge.', { min: 0, byDefault: 0 }),
  edge('y', 'Distance of the kept area from the top edge.', { min: 0, byDefault: 0 }),
  edge('width', 'Width of the kept area; to the right edge when left out.', { min: 1 }),
  edge('height', 'Height of the kept area; to the bottom edge when left out.', { min: 1 }),
  pagesOption('Which pages to crop; the others stay whole. All if left out.'),
  booleanOption(
    { name: 'erase', label: 'Erase', hint: 'Takes what is cropped out of the file instead of hiding it.' },
    true,
  ),
  ...common,
]

function edge(name: string, hint: string, range: { min: number; byDefault?: number }): OptionDescriptor {
  const label = name.length === 1 ? name.toUpperCase() : `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  return numberOption({ name, label, hint, units: 'pt' }, { max: pdfLimits.points, ...range })
}

/** Which pages stay. */
export const trimOptions: readonly OptionDescriptor[] = [pagesOption('Which pages to keep, in this order.'), ...common]
