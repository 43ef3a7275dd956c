/** One accepted value of an enum option. */
export interface EnumValue {
  readonly value: string
  readonly hint: string
}

/** The `meta` value of a condition that accepts any value of the other option. */
export const anyValue = '*'

/** A dependency on another option, which must have one of the `meta` values; `*` means any value. */
export interface OptionCondition {
  readonly name: string
  /** True: this option has no effect without the other one. False: only a contradicting value is an error. */
  readonly required: boolean
  readonly meta: readonly { readonly value: string; readonly label: string }[]
}

/** The range of a number if another option has a certain value. */
export interface OptionRange {
  readonly name: string
  readonly value: string
  readonly min: number
  readonly max: number
}

/** Holds the type of an option's values for the compiler. No descriptor has this field at runtime. */
declare const valueType: unique symbol

/** An option in the wire format of the options query. `Value` is the type that `readOption` returns. */
export interface OptionDescriptor<Name extends string = string, Value = string | number | boolean> {
  readonly [valueType]?: Value
  readonly name: Name
  readonly hint: string
  readonly data_type: 'boolean' | 'string' | 'integer' | 'number'
  /** Used if the option is omitted; empty if there is no default. Always a string, whatever the type. */
  readonly default_value: string
  /** `enum` if only listed values are accepted, otherwise the data type. */
  readonly type: string
  readonly enum_values?: readonly EnumValue[]
  readonly conditions: readonly OptionCondition[]
  readonly label?: string
  readonly units?: string
  readonly properties?: {
    readonly min?: number
    readonly max?: number
    /** Narrower ranges for some values of another option: an encoder may accept fewer values than others. */
    readonly ranges?: readonly OptionRange[]
    /** For strings: a regular expression for the whole value, and the maximum number of characters. */
    readonly pattern?: string
    readonly max_length?: number
    /** For strings: what the pattern accepts, as a phrase that completes "must be". */
    readonly expects?: string
  }
}

/** The values of options by name, in the types of their descriptors. All are optional. */
export type OptionValues<Option extends OptionDescriptor> = {
  readonly [One in Option as One['name']]?: One extends OptionDescriptor<string, infer Value> ? Value : never
}

interface Described<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly hint: string
  readonly conditions?: readonly OptionCondition[]
}

interface TextForm {
  readonly pattern: RegExp
  readonly maxLength: number
  readonly expects?: string
  readonly byDefault?: string
}

/** Describes an option that is true or false. */
export function booleanOption<const Name extends string>(
  { conditions = [], ...about }: Described<Name>,
  byDefault: boolean,
): OptionDescriptor<Name, boolean> {
  return { ...about, data_type: 'boolean', default_value: String(byDefault), type: 'boolean', conditions }
}

/** Describes an option that takes a whole number in a range. */
export function integerOption<const Name extends string>(
  { conditions = [], units, ...about }: Described<Name> & { units?: string },
  { min, max, byDefault }: { min: number; max: number; byDefault?: number },
): OptionDescriptor<Name, number> {
  const default_value = byDefault === undefined ? '' : String(byDefault)
  const described = { ...about, data_type: 'integer', default_value, type: 'integer', conditions } as const
  return { ...described, ...(units && { units }), properties: { min, max } }
}

/** Describes an option that takes a decimal number in a range. */
export function numberOption<const Name extends string>(
  about: Described<Name> & { units?: string },
  range: { min: number; max: number; byDefault?: number },
): OptionDescriptor<Name, number> {
  return { ...integerOption(about, range), data_type: 'number', type: 'number' }
}

/**
 * Describes an option that takes text in a certain form, which `expects` names. The pattern is anchored at both ends.
 */
export function textOption<const Name extends string>(
  { conditions = [], units, ...about }: Described<Name> & { units?: string },
  { pattern, maxLength, expects, byDefault = '' }: TextForm,
): OptionDescriptor<Name, string> {
  const described = { ...about, data_type: 'string', default_value: byDefault, type: 'string', conditions } as const
  const properties = { pattern: pattern.source, max_length: maxLength, ...(expects && { expects }) }
  return { ...described, ...(units && { units }), properties }
}

/** The names of options with secret values. They are sealed when they arrive and never shown again. */
export const secretOptions: readonly string[] = ['password', 'output_password', 'owner_password']

/** Describes a password. It may contain any printable character. */
export function passwordOption<const Name extends string>(about: Described<Name>): OptionDescriptor<Name, string> {
  if (!secretOptions.includes(about.name)) throw new Error(`${about.name} is not among the secret options`)
  return textOption(about, { pattern: /^\P{C}+$/u, maxLength: 127, expects: 'text without control characters' })
}

/** The names of options that take any text. Their values reach programs only as data, never as arguments. */
export const freeTextOptions: readonly string[] = ['title', 'author', 'description', 'copyright', 'keywords', 'text']

/** Describes an option that takes any text on one line. */
export function freeTextOption<const Name extends string>(
  about: Described<Name>,
  maxLength: number,
): OptionDescriptor<Name, string> {
  if (!freeTextOptions.includes(about.name)) throw new Error(`${about.name} is not among the options of free text`)
  const pattern = /^[^\s\p{C}][^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
  return textOption(about, { pattern, maxLength, expects: 'one line of text without control characters' })
}

/** Describes an option that takes one of a list of values. */
export function enumOption<const Name extends string, const Value extends string>(
  { conditions = [], ...about }: Described<Name>,
  values: Readonly<Record<Value, string>>,
  byDefault: NoInfer<Value> | '' = '',
): OptionDescriptor<Name, Value> {
  const enum_values = Object.entries<string>(values).map(([value, hint]) => ({ value, hint }))
  return { ...about, data_type: 'string', default_value: byDefault, type: 'enum', enum_values, conditions }
}

/** A condition that must be met for the option to have an effect. */
export function needs(name: string, values: readonly EnumValue[]): OptionCondition {
  return { name, required: true, meta: values.map(({ value, hint }) => ({ value, label: hint })) }
}

/** A condition that another option must be given, with any value. */
export function needsAny(name: string, label: string): OptionCondition {
  return { name, required: true, meta: [{ value: anyValue, label }] }
}

/** A condition that only forbids a contradiction. */
export function unlessNot(name: string, value: string, label: string): OptionCondition {
  return { name, required: false, meta: [{ value, label }] }
}
