import type { OptionDescriptor } from './option-descriptor.ts'

/**
 * Reads a value as the type of its descriptor, or explains what it must be in a text that follows the option's name.
 */
export function readOption(descriptor: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  if (descriptor.type === 'enum') return readEnum(descriptor, given)
  if (descriptor.data_type === 'boolean') return readBoolean(given)
  if (descriptor.data_type === 'string') return readText(descriptor, given)
  return readNumber(descriptor, given)
}

function readEnum({ enum_values = [] }: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  // Accepts numbers for values that look like numbers: `rotate: 90`.
  const text = typeof given === 'number' ? String(given) : given
  if (enum_values.some(({ value }) => value === text)) return { value: text }
  return { msg: `must be one of: ${enum_values.map(({ value }) => value).join(', ')}.` }
}

// Text from users never contains control characters, whatever the option: a line break could inject a separate line.
function readText({ properties }: OptionDescriptor, given: unknown): { value: unknown } | { msg: string } {
  const { pattern = '', max_length = 1000, expects = `text that matches ${pattern}` } = properties ?? {}
  // Clients often send page numbers and times as numbers.
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
