import type { Failure } from '@lathe/domain'
import { type Refusals, refusalReader, type Warnings } from '../script-words.ts'
import { dataLimits } from './limits.ts'

const named = (count: number) => count.toLocaleString('en')
const times = (n: number, thing: string) => `${named(n)} ${thing}${n === 1 ? '' : 's'}`

export const dataWarnings: Warnings = {
  around: () => 'Only the list of objects became a table. The values around it were left out.',
  binary: () => 'Images and other attached data were left out: a table has no place for them. JSON keeps them.',
  characters: () => 'Characters that the output format cannot hold were replaced.',
  columns: (n) => `The table has columns of the same name, so ${times(n, 'column')} got another one.`,
  complex: () => 'Keys of YAML that are lists or objects became text.',
  cut: () => 'The input ends too early. What is there was converted.',
  digits: (n) => `Numbers have more digits than floating-point numbers of 64 bits keep (${times(n, 'number')}).`,
  documents: (n) => `The input holds ${named(n)} documents. They became a list.`,
  keys: (n) => `Keys were given more than once, and the last value was kept (${times(n, 'value')} lost).`,
  lines: (n) => `Lines that are no property were left out (${times(n, 'line')}).`,
  long: (n) => `Rows have more cells than the header (${times(n, 'row')}). Columns were added for them.`,
  long_numbers: (n) => `Whole numbers of more than 64 bits became text, because TOML has none (${times(n, 'number')}).`,
  mixed: () => 'Text between elements was put together in #text. Its place among the elements is lost.',
  mixed_types: (n) => `Columns with values of several types became text (${times(n, 'column')}).`,
  nested: (n) => `Lists and objects inside of rows became JSON text in their cells (${times(n, 'cell')}).`,
  nulls: (n) => `Empty values (null) were left out, because TOML has none (${times(n, 'value')}).`,
  special: (n) => `NaN and Infinity became null, because JSON has no such numbers (${times(n, 'number')}).`,
  tags: (n) => `Tags of YAML were left out, and their values kept (${times(n, 'tag')}).`,
  wide_numbers: (n) => `Whole numbers of more than 64 bits became text, with their columns (${times(n, 'number')}).`,
  windows: () => 'The text is not UTF-8, so it was read as windows-1252.',
  wrapped: () => 'TOML documents are objects, so the list was stored under the key items.',
  zones: () => 'Definitions of time zones were left out. Times keep the names of their zones.',
}

const limit = (what: string): readonly [Failure['code'], string] => [
  'limit_exceeded',
  `${what}, which is the limit. Split the file and convert the parts.`,
]
const damaged = (text: string): readonly [Failure['code'], string] => ['input_damaged', text]
const mebibytes = `${dataLimits.bytes / 1024 ** 2} MiB`

const refusals: Refusals = {
  bytes: limit(`The file is larger than ${mebibytes}`),
  expanded: limit(`The YAML has more than ${mebibytes} of text once its aliases are written out`),
  values: limit(`The file holds more than ${named(dataLimits.values)} values`),
  deep: limit(`Lists and objects are nested more than ${dataLimits.depth} levels deep`),
  cells: limit(`The table has more than ${named(dataLimits.cells)} cells`),
  circle: damaged('The YAML holds a value that contains itself.'),
  encoding: damaged('The text is not UTF-8, and it has no byte order mark. Save it as UTF-8.'),
  entities: damaged('The XML defines entities, which are not read. Save it without a document type.'),
  structure: damaged('The input holds no whole calendar or contact: BEGIN and END lines do not fit together.'),
  syntax: damaged('The input does not follow the rules of its format.'),
  empty: ['unsupported', 'The calendar holds no events or tasks, so there is nothing to put into a table.'],
  table: [
    'unsupported',
    'The input is not a table. A table is a list of objects, or an object that holds just one such list.',
  ],
}

export const readRefusal = refusalReader(refusals)
