import type { GivenOptions } from '@lathe/operations'
import fc from 'fast-check'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { freeTextOptions, secretOptions } from '../option-descriptor.ts'

/** The value of secrets in these tests: it must never appear in arguments. */
export const secret = 'opensesame\u{1F511}'

/** Valid values of an option that are worth a test: every word, both ends of a range. */
export function distinctValues({
  name,
  type,
  enum_values = [],
  properties = {},
}: OptionDescriptor): readonly GivenOptions[string][] {
  if (type === 'enum') return enum_values.map(({ value }) => value)
  if (type === 'boolean') return [true, false]
  if (type === 'string') return [textFor(name, properties.pattern ?? '')]
  const { min = 0, max = 0 } = properties
  return [min, max]
}

const texts = [secret, '1-2', '2', '0:00:01', '1.5', '1', '#336699', '1:1-2', 'eng', 'webp', 'high', '2024-05-31']

/** A text that matches a pattern. A descriptor whose pattern matches none of these needs another one in the list. */
function textFor(name: string, pattern: string): string {
  if (secretOptions.includes(name) || freeTextOptions.includes(name)) return secret
  const fitting = texts.slice(1).find((text) => new RegExp(pattern, 'u').test(text))
  if (fitting === undefined) throw new Error(`no text is known that fits ${name}: ${pattern}`)
  return fitting
}

/** Any valid value of an option. */
export function arbitraryValue(option: OptionDescriptor): fc.Arbitrary<GivenOptions[string]> {
  const { type, properties: { min = 0, max = 0 } = {} } = option
  if (type === 'integer') return fc.integer({ min, max })
  if (type === 'number') return fc.double({ min, max, noNaN: true }).map((value) => Math.round(value * 1000) / 1000)
  return fc.constantFrom(...distinctValues(option))
}

/** Any set of valid values, each option given or left out. */
export function arbitraryOptions(options: readonly OptionDescriptor[]): fc.Arbitrary<GivenOptions> {
  const values = Object.fromEntries(options.map((option) => [option.name, arbitraryValue(option)]))
  return fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<GivenOptions>
}

/** Injection attempts: none of them may match an option that takes text. */
export const injections: readonly string[] = [
  '-i /etc/passwd',
  '--help',
  'movie=/etc/passwd',
  'x -vf drawtext=textfile=/etc/passwd',
  'subtitles=/etc/passwd',
  '../../etc/passwd',
  '/etc/passwd',
  '@/etc/passwd',
  '$(id)',
  '`id`',
  'a;id',
  'a|id',
  '1\n-o\nx',
  '1\0',
  '%d',
  "1'2",
  '1,2[0:v]',
  'in-0.png[0]',
]
