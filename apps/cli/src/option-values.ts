import type { Operation, OptionDescriptor, OptionSet } from '@lathe/sdk'
import { didYouMean } from '@lathe/sdk'
import { UsageError } from './exit-codes.ts'
import { asFlag, type GivenOptions } from './option-flags.ts'

/** The operation of commands that name none. */
export const usualOperation: Operation = 'convert'

export type OptionValues = Readonly<Record<string, string | number | boolean>>

/** The values of options, checked against those of the formats before anything is sent. */
export function toOptionValues(
  given: GivenOptions,
  { options, sourceExt, targetExt, operation }: OptionSet,
): OptionValues {
  const known = new Map(options.map((option) => [option.name, option]))
  const pairs = [...given].map(([name, text]): [string, string | number | boolean] => {
    const option = known.get(name)
    if (option) return [name, toValue(option, text)]
    const isUsual = operation === usualOperation
    const what = isUsual ? `${sourceExt} to ${targetExt}` : `${operation} of ${sourceExt}`
    const see = `See: lathe options ${sourceExt} ${isUsual ? targetExt : `--operation ${operation}`}`
    throw new UsageError(`${asFlag(name)} does not apply to ${what}.${didYouMean(name, known.keys())} ${see}`)
  })
  return Object.fromEntries(pairs)
}

function toValue(option: OptionDescriptor, text: string): string | number | boolean {
  const flag = asFlag(option.name)
  if (option.type === 'enum') {
    const values = (option.enum_values ?? []).map(({ value }) => value)
    if (!values.includes(text)) {
      throw new UsageError(`${flag} cannot be ${text}.${didYouMean(text, values)} It can be: ${values.join(', ')}.`)
    }
  }
  if (option.data_type === 'boolean') return toBoolean(flag, text)
  if (option.data_type === 'string') return text
  return toNumber(flag, option, isSize(option) ? toBytes(text) : Number(text), text)
}

/** Reads the value of a switch. */
export function toBoolean(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new UsageError(`${flag} is true or false, not ${text}.`)
}

function toNumber(flag: string, { data_type, properties }: OptionDescriptor, value: number, text: string): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = properties ?? {}
  const isFit = text !== '' && (data_type === 'integer' ? Number.isInteger(value) : Number.isFinite(value))
  if (isFit && value >= min && value <= max) return value
  const what = data_type === 'integer' ? 'a whole number' : 'a number'
  const range = Number.isFinite(min) && Number.isFinite(max) ? ` from ${min} to ${max}` : ''
  throw new UsageError(`${flag} is ${what}${range}, not ${text}.`)
}

const units: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
}

/** Reads sizes such as 2MB, 500kB and 1.5MiB. */
export function toBytes(text: string): number {
  const [, number = '', unit = ''] = /^([\d.]{1,20}) ?([a-zA-Z]{0,3})$/.exec(text) ?? []
  const factor = units[unit.toUpperCase()]
  return factor === undefined || number === '' ? Number.NaN : Math.round(Number(number) * factor)
}

function isSize({ units: unit }: OptionDescriptor): boolean {
  return unit === 'B' || unit === 'bytes'
}
