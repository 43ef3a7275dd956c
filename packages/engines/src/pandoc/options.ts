import { booleanOption, enumOption, integerOption, numberOption, type OptionValues } from '../option-descriptor.ts'
import { paperOptions } from '../printing/options.ts'

/** The margin of a printed book or text, in millimeters. */
export const bookMargin = 20

const fontSize = numberOption(
  {
    name: 'font_size',
    label: 'Font size',
    hint: 'Size of body text. Headings scale with it.',
    units: 'pt',
  },
  { min: 6, max: 32, byDefault: 11 },
)

const contents = booleanOption(
  { name: 'table_of_contents', label: 'Table of contents', hint: 'Add a table of contents at the beginning.' },
  false,
)

const lineLength = integerOption(
  { name: 'line_length', label: 'Line length', hint: 'Lines are wrapped after this many characters.' },
  { min: 40, max: 1000, byDefault: 80 },
)

/** The Markdown dialect that a text is read as. */
export const dialect = enumOption(
  { name: 'dialect', label: 'Dialect', hint: 'Markdown dialect of the input.' },
  {
    auto: "Pandoc's where the text uses its tables, notes or citations, GitHub's otherwise",
    github: 'CommonMark with the additions of GitHub',
    pandoc: "Pandoc's Markdown",
  },
  'auto',
)

const printed = [...paperOptions({ margin: bookMargin }), fontSize, contents]

export type Option = (typeof printed)[number] | typeof lineLength | typeof dialect
export type PandocOptions = OptionValues<Option>

// Outputs with equal options share one list: lists are compared by identity.
const headed = [contents]
const wrapped = [lineLength]
const headedText = [contents, lineLength]
const none: readonly Option[] = []

const of = (names: readonly string[], options: readonly Option[]) =>
  Object.fromEntries(names.map((name) => [name, options]))

/** The options of each output, for every input. */
export const optionsByOutput: Readonly<Record<string, readonly Option[]>> = {
  pdf: printed,
  ...of(['html', 'docx', 'odt', 'rtf'], headed),
  ...of(['txt', 'beamer', 'man', 'texi', 'muse', 'haddock', 'docbook', 'jats', 'tei'], wrapped),
  ...of(['tex', 'context', 'typ', 'rst', 'org', 'adoc', 'ms'], headedText),
  ...of(['md', 'mmd', 'epub', 'fb2', 'pptx', 'ipynb', 'icml', 'markua'], none),
  ...of(['mediawiki', 'dokuwiki', 'zimwiki', 'xwiki', 'textile', 'jira'], none),
}
