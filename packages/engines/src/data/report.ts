import { type Failure, failure } from '@lathe/domain'
import type { StepExit } from '../engine.ts'
import { readJsonLines, wordIn } from '../json-lines.ts'
import { dataLimits } from './limits.ts'

const named = (count: number) => count.toLocaleString('en')
const times = (n: number, thing: string) => `${named(n)} ${thing}${n === 1 ? '' : 's'}`

/** What the script warns of, by its word; `n` is how often it happened. */
const warnings: Readonly<Record<string, (n: number) => string>> = {
  around: () => 'Only the list of objects became a table. The values around it were left out.',
  binary: () => 'Images and other attached data were left out: a table has no place for them. JSON keeps them.',
  characters: () => 'Characters that the output format cannot hold were replaced.',
  columns: (n) => `The table has columns of the same name, so ${times(n, 'column')} got another one.`,
  complex: () => 'Keys of YAML that are lists or objects became text.',
  cut: () => 'The input ends too early. What is there was converted.',
  documents: (n) => `The input holds ${named(n)} documents. They became a list.`,
  keys: (n) => `Keys were given more than once, and the last value was kept (${times(n, 'value')} lost).`,
  lines: (n) => `Lines that are no property were left out (${times(n, 'line')}).`,
  long: (n) => `Rows have more cells than the header (${times(n, 'row')}). Columns were added for them.`,
  long_numbers: (n) => `Whole numbers of more than 64 bits became text, because TOML has none (${times(n, 'number')}).`,
  mixed: () => 'Text between elements was put together in #text. Its place among the elements is lost.',
  nested: (n) => `Lists and objects inside of rows became JSON text in their cells (${times(n, 'cell')}).`,
  nulls: (n) => `Empty values (null) were left out, because TOML has none (${times(n, 'value')}).`,
  special: (n) => `NaN and Infinity became null, because JSON has no such numbers (${times(n, 'number')}).`,
  tags: (n) => `Tags of YAML were left out, and their values kept (${times(n, 'tag')}).`,
  windows: () => 'The text is not UTF-8, so it was read as windows-1252.',
  wrapped: () => 'TOML documents are objects, so the list was stored under the key items.',
  zones: () => 'Definitions of time zones were left out. Times keep the names of their zones.',
}

/** Reads what the script printed: one line for each warning. A word that is not known is none of ours. */
export function readWarnings(stdout: readonly string[]): readonly string[] {
  return readJsonLines(stdout).flatMap(({ warning, times }) => {
    const word = wordIn(warning)
    const count = typeof times === 'number' ? times : 1
    return Object.hasOwn(warnings, word) ? [warnings[word]?.(count) ?? ''] : []
  })
}

const limit = (what: string): readonly [Failure['code'], string] => [
  'limit_exceeded',
  `${what}, which is the limit. Split the file and convert the parts.`,
]
const damaged = (text: string): readonly [Failure['code'], string] => ['input_damaged', text]
const mebibytes = `${dataLimits.bytes / 1024 ** 2} MiB`

const refusals: Readonly<Record<string, readonly [Failure['code'], string]>> = {
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

/** What it means that the script ended with 3 and a word; behind it may be the line and column of an error. */
export function readRefusal({ code, stderr }: StepExit): Failure | undefined {
  const [, word = '', line, column] = /^refused: ([a-z]+)(?: (\d{1,12}) (\d{1,12}))?$/m.exec(stderr) ?? []
  if (code !== 3 || !Object.hasOwn(refusals, word)) return undefined
  const [reason, text] = refusals[word] ?? damaged('')
  const place = line === undefined ? text : `${text.slice(0, -1)} at line ${line}, column ${column}.`
  return failure(reason, { text: place, detail: stderr.slice(-512) })
}
