import type { OptionDescriptor } from './option-descriptor.ts'

/** Reads one given value as its descriptor's type, or explains what it must be; the text continues the option's name. */
export function readOption(descriptor: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  if (descriptor.type === 'enum') return readEnum(descriptor, given)
  if (descriptor.data_type === 'boolean') return readBoolean(given)
  if (descriptor.data_type === 'string') return readText(descriptor, given)
  return readNumber(descriptor, given)
}

function readEnum({ enum_values = [] }: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  // Numbers are taken for values that look like them: `rotate: 90`.
  const text = typeof given === 'number' ? String(given) : given
  if (enum_values.some(({ value }) => value === text)) return { value: text }
  return { msg: `must be one of: ${enum_values.map(({ value }) => value).join(', ')}.` }
}

// Words of a user's own never hold control characters, whatever the option: a line break could begin a line of its own.
function readText({ properties }: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  const { pattern = '', max_length = 1000, expects = `text that matches ${pattern}` } = properties ?? {}
  // Page numbers and times are as often sent as numbers.
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string') return { msg: 'must be a string.' }
  if (text.length > max_length) return { msg: `must have at most ${max_length} characters.` }
  if (/\p{Cc}/u.test(text) || !new RegExp(pattern, 'u').test(text)) return { msg: `must be ${expects}.` }
  return { value: text }
}

function readBoolean(given: unknown): { value: unknown } | { msg: string } {
  if (given === true || given === 'true') return { value: true }
  if (given === false || given === 'false') return { value: false }
  return { msg: 'must be true or false.' }
}

function readNumber(descriptor: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = descriptor.properties ?? {}
  const isWhole = descriptor.data_type === 'integer'
  const number = typeof given === 'string' ? parseNumber(given) : given
  const isFitting = typeof number === 'number' && Number.isFinite(number) && number >= min && number <= max
  if (isFitting && (!isWhole || Number.isInteger(number))) return { value: number }
  return { msg: `must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}.` }
}

// Plain decimals only: `Number` alone would also read '', '0x10', '1e9' and ' 1 '.
function parseNumber(text: string): number | undefined {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
}
