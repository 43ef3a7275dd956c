import type { Preset } from '@lathe/contract'
import type { Options, OptionValue } from '../converter/item.ts'
import { type Descriptor, fitOptions } from '../converter/option-rules.ts'

/** The presets for a task of this operation and output format. */
export function fittingPresets(
  presets: readonly Preset[],
  task: Pick<Preset, 'operation' | 'output_format'>,
): readonly Preset[] {
  return presets.filter(
    ({ operation, output_format }) => operation === task.operation && output_format === task.output_format,
  )
}

/** The options of a preset that are supported here. */
export function optionsOfPreset({ options }: Pick<Preset, 'options'>, descriptors: readonly Descriptor[]): Options {
  const known = new Set(descriptors.map(({ name }) => name))
  const isValue = (value: unknown): value is OptionValue => ['string', 'number', 'boolean'].includes(typeof value)
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, OptionValue] => known.has(entry[0]) && isValue(entry[1])),
  )
}

// The api does not allow these in a preset.
const secrets: ReadonlySet<string> = new Set(['password', 'output_password', 'owner_password'])

/** The options to store in a preset: those that apply, without passwords. */
export function toPresetOptions(descriptors: readonly Descriptor[], options: Options): Options {
  return Object.fromEntries(Object.entries(fitOptions(descriptors, options)).filter(([name]) => !secrets.has(name)))
}

/** Whether two sets of options are equal, in any order. */
export function sameOptions(a: Options, b: Options): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => String(a[name]) === String(b[name]))
}
