import { paperOptions } from '../browser/options.ts'
import { booleanOption, enumOption, integerOption, numberOption, type OptionDescriptor } from '../option-descriptor.ts'

/** Around a printed book or text, in millimetres. */
export const bookMargin = 20

const fontSize = numberOption(
  {
    name: 'font_size',
    label: 'Font size',
    hint: 'Size of ordinary text. Headings and other sizes follow it.',
    units: 'pt',
  },
  { min: 6, max: 32, byDefault: 11 },
)

const contents = booleanOption(
  { name: 'table_of_contents', label: 'Table of contents', hint: 'Adds a list of the headings at the beginning.' },
  false,
)

const lineLength = integerOption(
  { name: 'line_length', label: 'Line length', hint: 'Lines are wrapped after this many characters.' },
  { min: 40, max: 1000, byDefault: 80 },
)

/** Which Markdown a text is read as. */
export const dialect = enumOption(
  { name: 'dialect', label: 'Dialect', hint: 'Which kind of Markdown the text is written in.' },
  {
    auto: "Pandoc's where the text uses its tables, notes or citations, GitHub's otherwise",
    github: 'CommonMark with the additions of GitHub',
    pandoc: "Pandoc's Markdown",
  },
  'auto',
)

/** What each output takes, whatever it is made of. */
export const optionsByOutput: Readonly<Record<string, readonly OptionDescriptor[]>> = {
  pdf: [...paperOptions({ margin: bookMargin }), fontSize, contents],
  html: [contents],
  docx: [contents],
  odt: [contents],
  rtf: [contents],
  txt: [lineLength],
  md: [],
  epub: [],
  fb2: [],
}
