import type { FieldError } from '@lathe/domain'
import { anyValue, type OptionCondition, type OptionDescriptor, type OptionValues } from './option-descriptor.ts'
import { readOption } from './read-option.ts'

/** The result of checking options: errors, values that take effect, and warnings about options without effect. */
export interface CheckedOptions<Values = Record<string, unknown>> {
  readonly errors: FieldError[]
  /** Valid values that have an effect, in the type of their descriptor. */
  readonly effective: Values
  readonly warnings: string[]
}

/** Checks given options against their descriptors: known names, types, listed values, ranges, conditions. */
export function checkOptions<Option extends OptionDescriptor>(
  descriptors: readonly Option[],
  options: Readonly<Record<string, unknown>>,
): CheckedOptions<OptionValues<Option>> {
  const byName = new Map<string, OptionDescriptor>(descriptors.map((descriptor) => [descriptor.name, descriptor]))
  const checked: CheckedOptions = { errors: [], effective: {}, warnings: [] }
  const values = new Map<string, unknown>()
  for (const [name, given] of Object.entries(options)) {
    const descriptor = byName.get(name)
    if (descriptor === undefined) {
      checked.errors.push({ path: name, msg: unknownOption(descriptors) })
      continue
    }
    const read = readOption(descriptor, given)
    if ('msg' in read) checked.errors.push({ path: name, msg: read.msg })
    else values.set(name, read.value)
  }
  for (const [name, value] of values) judge(checked, { descriptor: byName.get(name), value, values })
  checked.errors.push(...descriptors.flatMap((descriptor) => outOfRange(descriptor, values)))
  // Each effective value was read by the descriptor of its name, so it has the type of that descriptor.
  return checked as CheckedOptions<OptionValues<Option>>
}

function outOfRange({ name, properties }: OptionDescriptor, values: Map<string, unknown>): FieldError[] {
  const given = values.get(name)
  const range = properties?.ranges?.find((one) => String(values.get(one.name)) === one.value)
  if (range === undefined || typeof given !== 'number' || (given >= range.min && given <= range.max)) return []
  const msg = `must be a number from ${range.min} to ${range.max} with ${range.name} ${range.value}.`
  return [{ path: name, msg }]
}

function unknownOption(descriptors: readonly OptionDescriptor[]): string {
  const names = descriptors.map(({ name }) => name).join(', ')
  return names === '' ? 'is not an option: there are none here.' : `is not an option here. Use one of: ${names}.`
}

function judge(
  checked: CheckedOptions,
  {
    descriptor,
    value,
    values,
  }: { descriptor: OptionDescriptor | undefined; value: unknown; values: Map<string, unknown> },
): void {
  if (descriptor === undefined) return
  const { name, conditions } = descriptor
  const broken = conditions.find((condition) => !isMet(condition, values))
  if (broken === undefined) checked.effective[name] = value
  else if (broken.required) checked.warnings.push(`The option ${name} had no effect: it needs ${wanted(broken)}.`)
  else checked.errors.push({ path: name, msg: `works only without ${broken.name}, or with ${wanted(broken)}.` })
}

// A required condition fails if the other option is missing. A condition that is not required only checks it if
// present.
function isMet({ name, required, meta }: OptionCondition, values: Map<string, unknown>): boolean {
  if (!values.has(name)) return !required
  const other = String(values.get(name))
  return meta.some(({ value }) => value === anyValue || value === other)
}

function wanted({ name, meta }: OptionCondition): string {
  const values = meta.map(({ value }) => value)
  if (values.includes(anyValue)) return `the option ${name}`
  return values.length === 1 ? `${name} ${values[0]}` : `${name} with one of: ${values.join(', ')}`
}
