import { type TSchema, type TString, type TUnsafe, Type } from 'typebox'
import { requestLimits as limits } from './request-limits.ts'

/** A required text of reasonable length. */
export function text(description: string) {
  return Type.String({ minLength: 1, maxLength: limits.fieldChars, description })
}

declare const hidden: unique symbol

/** A text that is masked when it is shown. */
export type Hidden = string & { readonly [hidden]: true }

/** A text that is shown masked, and may be as long as a PEM key. */
export function secret(description: string): TUnsafe<Hidden> {
  return asHidden(Type.String({ minLength: 1, maxLength: limits.secretChars, description, writeOnly: true }))
}

// A symbol, because documents of the schema show all other keys.
const webAddressMark = Symbol('web address')

/** A URL; only http and https are reachable. It is shown without its password. */
export function webAddress(description: string): TUnsafe<Hidden> {
  return asHidden(Type.String({ minLength: 1, maxLength: limits.urlChars, description, [webAddressMark]: true }))
}

/** Whether a field was made by `secret`. */
export function isSecret(field: TSchema): boolean {
  return 'writeOnly' in field && field.writeOnly === true
}

/** Whether a field was made by `webAddress`. */
export function isWebAddress(field: TSchema): boolean {
  return webAddressMark in field
}

// Changes only the type: the schema stays that of a string.
function asHidden(schema: TString): TUnsafe<Hidden> {
  return schema as unknown as TUnsafe<Hidden>
}

/** A name for those of an account's tasks that may share engines. */
export const isolation = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9._-]+$',
  description:
    'Tasks share running converters only with tasks of the same account that have the same value here, such as the id of your customer. With `task`, this one shares them with no other.',
})

/** A file name. */
export const filename = Type.String({
  minLength: 1,
  maxLength: limits.filenameChars,
  // `.` and `..` are folders; \u0080-\u009f are the second block of control characters.
  pattern: '^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]+$',
  description: 'A file name, without slashes or control characters.',
  examples: ['photo.jpg'],
})

// A part of a path: no `.` or `..`, no slash or control character.
const folderPart = '(?!\\.{1,2}(?:/|$))[^/\\\\\\u0000-\\u001f\\u007f-\\u009f]{1,255}'

/** A folder inside a ZIP: a relative path that never leaves it. */
export const folder = Type.String({
  maxLength: limits.folderChars,
  pattern: `^(?:${folderPart}(?:/${folderPart})*)?$`,
  description: 'A folder such as `album/day 1`: relative, without `.`, `..`, backslashes or control characters.',
  examples: ['album/day 1'],
})

/** An extension, case-insensitive, with or without its dot. */
export const format = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'A file extension, such as jpg.',
  examples: ['jpg'],
})

/** The target path of an export. */
export function targetPath(description: string) {
  return Type.String({
    minLength: 1,
    maxLength: limits.fieldChars,
    description: `${description} \`{name}\`, \`{ext}\` and \`{task}\` are filled in.`,
    examples: ['results/{name}.{ext}'],
  })
}

/** Values of advanced options. Strings are accepted for numbers and booleans. */
export const options = Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
  maxProperties: limits.optionsPerTask,
  description: 'Advanced options by name, as the options query lists them.',
})

/** A task, by its id or its name inside a job. */
export const reference = Type.String({ minLength: 1, maxLength: limits.taskNameChars })

/** The tasks whose files a task takes. */
export const input = Type.Union([reference, Type.Array(reference, { minItems: 1, maxItems: limits.inputsPerTask })], {
  description: 'A task to take files from, or an array of them: ids, or names of tasks of the same job.',
})
