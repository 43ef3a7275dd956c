import { enumOption, integerOption } from '../option-descriptor.ts'

const separators = { comma: 'Comma', semicolon: 'Semicolon', tab: 'Tab', pipe: 'Vertical bar' }
const separatorWords = { name: 'separator', label: 'Separator', hint: 'Character between cells.' } as const

const separatorIn = enumOption(separatorWords, { auto: 'Detect from the first lines', ...separators }, 'auto')
const separatorOut = enumOption(separatorWords, separators, 'comma')

const types = enumOption(
  {
    name: 'types',
    label: 'Types',
    hint: 'Whether values from a format without types become numbers, true, false and null, or stay text.',
  },
  {
    auto: 'Numbers, true, false and empty values are recognized; leading zeros and more than 15 digits stay text',
    text: 'Every value stays text',
  },
  'auto',
)

const indent = integerOption(
  { name: 'indent', label: 'Indent', hint: 'Spaces for each level. 0 writes everything on one line.', units: 'spaces' },
  { min: 0, max: 8, byDefault: 2 },
)
// YAML requires indentation, so there is no 0.
const yamlIndent = integerOption(
  { name: 'indent', label: 'Indent', hint: 'Spaces for each level.', units: 'spaces' },
  { min: 2, max: 8, byDefault: 2 },
)

const compression = enumOption(
  { name: 'compression', label: 'Compression', hint: 'Compression of the columns. All readers support Snappy.' },
  { snappy: 'Snappy', gzip: 'Gzip', zstd: 'Zstandard', none: 'Uncompressed' },
  'snappy',
)

type Option = typeof separatorIn | typeof types | typeof indent | typeof compression

const inputs: Readonly<Record<string, readonly Option[]>> = {
  csv: [separatorIn, types],
  tsv: [types],
  xml: [types],
}

const outputs: Readonly<Record<string, readonly Option[]>> = {
  json: [indent],
  xml: [indent],
  yaml: [yamlIndent],
  csv: [separatorOut],
  parquet: [compression],
}

// Pairs with the same options share one list, because lists are compared by identity.
const lists = new Map<string, readonly Option[]>()

/** The options for a pair of formats. */
export function optionsOf(from: string, to: string): readonly Option[] {
  const own = [...(inputs[from] ?? []), ...(outputs[to] ?? [])]
  const key = own.map((option) => `${option.name} ${option.default_value} ${option.properties?.min}`).join()
  const list = lists.get(key) ?? own
  lists.set(key, list)
  return list
}
