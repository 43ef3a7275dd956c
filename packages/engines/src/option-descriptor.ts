/** One accepted value of an enum option. */
export interface EnumValue {
  readonly value: string
  readonly hint: string
}

/** The `meta` value of a condition that any value of the other option meets. */
export const anyValue = '*'

/** A dependency on another option, which must have one of the `meta` values; `*` means any value. */
export interface OptionCondition {
  readonly name: string
  /** True: without the other option this one has no effect. False: only a contradiction is an error. */
  readonly required: boolean
  readonly meta: readonly { readonly value: string; readonly label: string }[]
}

/** The range of a number where another option has a certain value. */
export interface OptionRange {
  readonly name: string
  readonly value: string
  readonly min: number
  readonly max: number
}

/** Where the compiler finds the type of an option's values. No descriptor has this field when the program runs. */
declare const valueType: unique symbol

/** An option as the options query shows it: the wire shape itself. `Value` is what `readOption` makes of a given value. */
export interface OptionDescriptor<Name extends string = string, Value = unknown> {
  readonly [valueType]?: Value
  readonly name: Name
  readonly hint: string
  readonly data_type: 'boolean' | 'string' | 'integer' | 'number'
  /** Used when the option is omitted; empty where there is none. A string whatever the type. */
  readonly default_value: string
  /** `enum` where only listed values are accepted; the data type otherwise. */
  readonly type: string
  readonly enum_values?: readonly EnumValue[]
  readonly conditions: readonly OptionCondition[]
  readonly label?: string
  readonly units?: string
  readonly properties?: {
    readonly min?: number
    readonly max?: number
    /** Narrower ranges for some values of another option: an encoder may know fewer numbers than its neighbour. */
    readonly ranges?: readonly OptionRange[]
    /** For strings: a regular expression the whole value fits, and the most characters it may have. */
    readonly pattern?: string
    readonly max_length?: number
    /** For strings: what the pattern accepts, in words that complete "must be". */
    readonly expects?: string
  }
}

/** The values of options by name, in the types of their descriptors. None has to be given. */
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

/** Describes an option that takes a number in a range, with decimals. */
export function numberOption<const Name extends string>(
  about: Described<Name> & { units?: string },
  range: { min: number; max: number; byDefault?: number },
): OptionDescriptor<Name, number> {
  return { ...integerOption(about, range), data_type: 'number', type: 'number' }
}

/** Describes an option that takes a text of a certain form, which `expects` names. Its pattern is anchored at both ends. */
export function textOption<const Name extends string>(
  { conditions = [], units, ...about }: Described<Name> & { units?: string },
  { pattern, maxLength, expects, byDefault = '' }: TextForm,
): OptionDescriptor<Name, string> {
  const described = { ...about, data_type: 'string', default_value: byDefault, type: 'string', conditions } as const
  const properties = { pattern: pattern.source, max_length: maxLength, ...(expects && { expects }) }
  return { ...described, ...(units && { units }), properties }
}

/** The names of options whose values are secrets: sealed when they arrive, never shown again. */
export const secretOptions: readonly string[] = ['password', 'output_password', 'owner_password']

/** Describes a password. It may hold any printable character. */
export function passwordOption<const Name extends string>(about: Described<Name>): OptionDescriptor<Name, string> {
  if (!secretOptions.includes(about.name)) throw new Error(`${about.name} is not among the secret options`)
  return textOption(about, { pattern: /^\P{C}+$/u, maxLength: 127, expects: 'text without control characters' })
}

/** The names of options that take any words: their values reach programs only as data, never as an argument. */
export const freeTextOptions: readonly string[] = ['title', 'author', 'description', 'copyright', 'keywords', 'text']

/** Describes an option that takes any words on one line. */
export function freeTextOption<const Name extends string>(
  about: Described<Name>,
  maxLength: number,
): OptionDescriptor<Name, string> {
  if (!freeTextOptions.includes(about.name)) throw new Error(`${about.name} is not among the options of free text`)
  const pattern = /^[^\s\p{C}][^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u
  return textOption(about, { pattern, maxLength, expects: 'one line of text without control characters' })
}

/** Describes an option that takes one of a few words. */
export function enumOption<const Name extends string, const Value extends string>(
  { conditions = [], ...about }: Described<Name>,
  values: Readonly<Record<Value, string>>,
  byDefault: NoInfer<Value> | '' = '',
): OptionDescriptor<Name, Value> {
  const enum_values = Object.entries<string>(values).map(([value, hint]) => ({ value, hint }))
  return { ...about, data_type: 'string', default_value: byDefault, type: 'enum', enum_values, conditions }
}

/** A condition that must be met for an option to have any effect. */
export function needs(name: string, values: readonly EnumValue[]): OptionCondition {
  return { name, required: true, meta: values.map(({ value, hint }) => ({ value, label: hint })) }
}

/** A condition that another option must be given, whatever its value. */
export function needsAny(name: string, label: string): OptionCondition {
  return { name, required: true, meta: [{ value: anyValue, label }] }
}

/** A condition that only forbids a contradiction. */
export function unlessNot(name: string, value: string, label: string): OptionCondition {
  return { name, required: false, meta: [{ value, label }] }
}
