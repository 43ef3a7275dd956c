import { invalidField } from '@lathe/domain'
import { type TObject, type TSchema, type TStringOptions, Type } from 'typebox'
import { idPattern, normalizeId } from '../schemas/common.ts'

/** Query parameters as received: a repeated one is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>

/** A query parameter: its documentation, and how its text is read. */
export interface Parameter<Value> {
  readonly schema: TSchema
  /** Throws a Problem if the text is invalid for the parameter of this name. */
  read(text: string, name: string): Value
  /** For a required parameter: what it is. */
  readonly required?: string
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** The given values in the types of the parameters; parameters that were not given are absent. */
export type Given<P extends Parameters> = {
  readonly [Name in keyof P as P[Name] extends { required: string } ? Name : never]: ReturnType<P[Name]['read']>
} & {
  readonly [Name in keyof P as P[Name] extends { required: string } ? never : Name]?: ReturnType<P[Name]['read']>
}

/** The query of an endpoint, for OpenAPI and for reading requests. Unknown parameters are ignored. */
export interface Query<Values> {
  readonly schema: TObject
  read(raw: RawQuery): Values
}

/** Defines a query by its parameters. */
export function defineQuery<const P extends Parameters>(parameters: P): Query<Given<P>> {
  const entries = Object.entries(parameters)
  const shown = entries.map(
    ([name, { schema, required }]) => [name, required ? schema : Type.Optional(schema)] as const,
  )
  return {
    schema: Type.Object(Object.fromEntries(shown)),
    read: (raw) => Object.fromEntries(entries.flatMap((entry) => readOne(raw, entry))) as Given<P>,
  }
}

function readOne(raw: RawQuery, [name, { read, required }]: [string, Parameter<unknown>]): [string, unknown][] {
  const text = Object.hasOwn(raw, name) ? raw[name] : undefined
  // If given twice, it is unclear which one is meant.
  if (Array.isArray(text)) throw invalidField(name, 'is given more than once. Give it once.')
  // PostgreSQL cannot store NUL, so nothing can match it.
  if (text?.includes('\0')) throw invalidField(name, 'holds a NUL character. Leave it out.')
  if (text !== undefined) return [[name, read(text, name)]]
  if (required) throw invalidField(name, `is required: ${required}.`, 'required')
  return []
}

/** A parameter that is any text. */
export function text(about: TStringOptions = {}): Parameter<string> {
  return { schema: Type.String(about), read: (given) => given }
}

/** A parameter that is one of the given values. */
export function oneOf<T extends string>(values: readonly T[], about: { description?: string } = {}): Parameter<T> {
  return {
    schema: Type.Enum([...values], about),
    read(given, name) {
      const found = values.find((one) => one === given)
      if (found === undefined) throw invalidField(name, `must be one of: ${values.join(', ')}.`)
      return found
    },
  }
}

interface WholeNumber {
  readonly description: string
  readonly minimum: number
  readonly maximum?: number
  readonly default: number
}

/** A parameter that is a whole number. */
export function wholeNumber(about: WholeNumber): Parameter<number> {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = about
  return {
    schema: Type.Integer({ ...about }),
    read(given, name) {
      const value = /^[0-9]{1,16}$/.test(given) ? Number(given) : Number.NaN
      if (value >= minimum && value <= maximum) return value
      throw invalidField(name, `must be an integer from ${minimum} to ${maximum}.`)
    },
  }
}

/** A parameter that is a time in UTC: a date, or a date and a time. */
export function moment(description: string): Parameter<Date> {
  return {
    schema: Type.String({ description, examples: ['2026-01-31T12:00:00Z'] }),
    read(given, name) {
      const time = /^[12]\d{3}-\d\d-\d\d(T[\d:.]+Z)?$/.test(given) ? new Date(given) : new Date(Number.NaN)
      if (!Number.isNaN(time.getTime())) return time
      throw invalidField(name, 'must be a time (UTC) such as 2026-01-31 or 2026-01-31T12:00:00Z.')
    },
  }
}

/** A parameter that is a date in UTC. */
export function day(description: string): Parameter<string> {
  return {
    schema: Type.String({ format: 'date', description }),
    read(given, name) {
      const ms = /^[12]\d{3}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN
      if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(given)) return given
      throw invalidField(name, 'must be a day (UTC) such as 2026-01-31.')
    },
  }
}

/** A parameter that is the id of a document; `what` describes it. */
export function id(about: TStringOptions, what = 'an id'): Parameter<string> {
  return {
    schema: Type.String({ pattern: idPattern, ...about }),
    read(given, name) {
      const found = normalizeId(given)
      if (found === undefined) throw invalidField(name, `must be ${what}: 24 hexadecimal digits.`)
      return found
    },
  }
}

/** Reads comma-separated values; calls `refuse` with the unknown ones. */
export function readList<T extends string>(
  given: string,
  allowed: readonly T[],
  refuse: (unknown: string) => Error,
): readonly T[] {
  const words = given.split(',').map((word) => word.trim())
  const unknown = words.filter((word) => word !== '' && !(allowed as readonly string[]).includes(word))
  if (unknown.length > 0) throw refuse(unknown.join(', '))
  return allowed.filter((word) => words.includes(word))
}

/** The parameter that requests additional fields: comma-separated values. */
export function include<T extends string>(allowed: readonly T[], about: TStringOptions): Parameter<readonly T[]> {
  return {
    schema: Type.String(about),
    read: (given, name) =>
      readList(given, allowed, (unknown) =>
        invalidField(name, `does not know ${unknown}. Allowed: ${allowed.join(', ')}.`),
      ),
  }
}
