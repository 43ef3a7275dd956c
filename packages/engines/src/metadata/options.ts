import { booleanOption, enumOption, freeTextOption, type OptionValues, textOption } from '../option-descriptor.ts'
import { password } from '../pages/options.ts'
import { type Writer, writers } from './formats.ts'

const values = enumOption(
  { name: 'values', label: 'Values', hint: 'How values are written.' },
  { text: 'As words and units: "1/250", "Rotate 90 CW"', raw: 'As stored numbers and codes: 0.004, 6' },
  'text',
)

const remove = enumOption(
  { name: 'remove', label: 'Remove', hint: 'Which metadata to remove. New values are written after it.' },
  {
    none: 'Keep all metadata',
    private: 'Remove location, serial numbers, names of people, maker notes, thumbnails, history and software',
    all: 'Remove everything but color profile and orientation',
  },
  'none',
)

const date = textOption(
  {
    name: 'date',
    label: 'Date',
    hint: 'When the content was made, such as 2024-05-31 or 2024-05-31T14:30:00+02:00.',
  },
  {
    pattern:
      /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?$/,
    maxLength: 25,
    expects: 'a date such as 2024-05-31 or 2024-05-31T14:30:00Z',
  },
)

const changes = [
  remove,
  freeTextOption({ name: 'title', label: 'Title', hint: 'Title of the content.' }, 500),
  freeTextOption({ name: 'author', label: 'Author', hint: 'Who made the content.' }, 500),
  freeTextOption({ name: 'description', label: 'Description', hint: 'Description of the content.' }, 2000),
  freeTextOption({ name: 'copyright', label: 'Copyright', hint: 'Copyright notice.' }, 500),
  freeTextOption({ name: 'keywords', label: 'Keywords', hint: 'Keywords, separated by commas.' }, 1000),
  date,
]

const checkPdfA = booleanOption(
  {
    name: 'check_pdf_a',
    label: 'Check PDF/A',
    hint: 'Check the PDF against the most important rules of PDF/A, the standard for archiving, and list violations. This is not a full validation.',
  },
  false,
)

type Option = (typeof changes | typeof readingPdf)[number]
export type MetadataOptions = OptionValues<Option>

const reading = [values]
const readingPdf = [values, checkPdfA, password]

/** The options for reading, by format. */
export function readOptions(from: string): readonly Option[] {
  return from === 'pdf' ? readingPdf : reading
}

// One list per writer, because lists are compared by identity.
const byWriter = new Map<Writer, readonly Option[]>()

/** The options for writing, by format. */
export function writeOptions(format: string): readonly Option[] {
  const writer = writers[format] ?? 'exif'
  const known = byWriter.get(writer) ?? (writer === 'pdf' ? [...changes, password] : [...changes])
  byWriter.set(writer, known)
  return known
}
