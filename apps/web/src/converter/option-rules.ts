import type { OptionSet } from '@lathe/contract'
import type { Options, OptionValue } from './item.ts'

export type Descriptor = OptionSet['options'][number]

const anyValue = '*'

/** The value of an option: the given one, else its default; empty if there is neither. */
export function settingOf({ name, default_value }: Descriptor, options: Options): string {
  const given = options[name]
  return given === undefined ? default_value : String(given)
}

/** The options that apply with the current values of the others. */
export function applicable(descriptors: readonly Descriptor[], options: Options): readonly Descriptor[] {
  const byName = new Map(descriptors.map((descriptor) => [descriptor.name, descriptor]))
  return descriptors.filter(({ conditions }) =>
    conditions.every(({ name, required, meta }) => {
      const other = byName.get(name)
      const value = other ? settingOf(other, options) : ''
      if (value === '') return !required
      return meta.some((one) => one.value === anyValue || one.value === value)
    }),
  )
}

/**
 * The options to send for a pair of formats: those that it supports and that apply, and the defaults they depend on.
 */
export function fitOptions(descriptors: readonly Descriptor[], options: Options): Options {
  const fitting = applicable(descriptors, options).filter(({ name }) => options[name] !== undefined)
  const byName = new Map(descriptors.map((descriptor) => [descriptor.name, descriptor]))
  const sent = new Map<string, OptionValue>()
  for (const { name, conditions } of fitting) {
    const given = options[name]
    if (given !== undefined) sent.set(name, given)
    for (const condition of conditions) {
      const other = byName.get(condition.name)
      if (condition.required && other && !sent.has(other.name)) sent.set(other.name, settingOf(other, options))
    }
  }
  return Object.fromEntries(sent)
}

/** An error in a value. */
export type Fault =
  | { readonly key: 'range'; readonly min: number; readonly max: number }
  | { readonly key: 'form'; readonly expects: string }

/** Checks a value with the rules of the service. */
export function faultOf(descriptor: Descriptor, options: Options): Fault | undefined {
  const value = options[descriptor.name]
  if (value === undefined || value === '') return undefined
  const { min, max, pattern, expects = '' } = descriptor.properties ?? {}
  if (min !== undefined && max !== undefined) {
    const range = descriptor.properties?.ranges?.find((one) => String(options[one.name]) === one.value) ?? { min, max }
    const number = Number(value)
    const isWhole = descriptor.data_type !== 'integer' || Number.isInteger(number)
    const isGood = isWhole && number >= range.min && number <= range.max
    return isGood ? undefined : { key: 'range', min: range.min, max: range.max }
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(String(value))) return { key: 'form', expects }
  return undefined
}

/** The options that several pairs of formats share, as the first pair describes them. */
export function commonOptions(sets: readonly (readonly Descriptor[])[]): readonly Descriptor[] {
  const [first = [], ...others] = sets
  return first.filter(({ name, type }) =>
    others.every((set) => set.some((other) => other.name === name && other.type === type)),
  )
}
