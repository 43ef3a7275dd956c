import type { FieldError } from '@lathe/domain'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { filename, format, input, options, reference } from './fields.ts'
import { checkPlaceholders } from './placeholders.ts'

/** A JSON object as it came. */
export type Body = Readonly<Record<string, unknown>>

interface Common<Name extends string, Fields extends TProperties> {
  readonly name: Name
  readonly summary: string
  readonly description: string
  readonly body: TObject<Fields>
  /** Rules of a body that its schema cannot express. It sees only bodies that fit the schema. */
  check?(body: Static<TObject<Fields>>, place: { readonly inJob: boolean }): readonly FieldError[]
}

/** Brings files into the service. */
export interface ImportOperation<Name extends string = string, Fields extends TProperties = TProperties>
  extends Common<Name, Fields> {
  readonly kind: 'import'
  /** Whether the task waits for its caller to send the file. */
  readonly waitsForUpload?: boolean
  /** For a file that is part of the request: the field it is in, and how its data is read. */
  readonly content?: { readonly field: string; read(value: string): string | undefined }
  /** Whether a request brings more than one file; one, if not given. */
  mayBringSeveral?(body: Static<TObject<Fields>>): boolean
  /** The format of the file, where the request tells. */
  writes?(body: Static<TObject<Fields>>): string
  /** Fields that mean something for some of these formats only. */
  readonly formatsOf?: Readonly<Record<string, readonly string[]>>
}

/** Works on files with an engine. */
export interface ProcessOperation<Name extends string = string> extends Common<Name, TProperties> {
  readonly kind: 'process'
  readonly inputs: Inputs
  readonly output: Output
}

/** Brings files to where they are wanted. */
export interface ExportOperation<Name extends string = string, Fields extends TProperties = TProperties>
  extends Common<Name, Fields> {
  readonly kind: 'export'
  /** Whether the files stay in the service, for downloads. */
  readonly keepsFiles?: boolean
}

export type AnyOperation = ImportOperation | ProcessOperation | ExportOperation

/** Which files one plan of an engine takes. */
export interface Inputs {
  /** `each`: every file has a plan and results of its own. `together`: all files make one result. */
  readonly files: 'each' | 'together'
  /** Fewest files of a task; 1 if not given. */
  readonly least?: number
  /** `any`: files are taken as they are, also those whose format is not known. Otherwise engines say which they take. */
  readonly formats?: 'any'
  /** Further files that every plan gets, by the field that names their task. */
  readonly roles?: Readonly<Record<string, Role>>
}

/** A file that an operation needs beside those it works on: a logo, the version to compare with. */
export interface Role {
  /** What the file is for: `The image to place.` */
  readonly description: string
  /** What it may be; if not given, what the first of the files is. */
  readonly formats?: readonly string[]
  readonly isOptional?: boolean
}

/**
 * Which format the result has. `chosen`: the request says. `same`: that of the input, so one format tells the other.
 * `contents`: whatever the input holds or is best kept in, so no request can say; abilities name the input's format on
 * both sides.
 * `usual`: the request may say; otherwise it is this one.
 */
export type Output = 'chosen' | 'same' | 'contents' | { readonly usual: string }

const { Optional } = Type
const closed = { additionalProperties: false } as const

/** An operation without an input. Most are named after where the file comes from, `import/url`; others after what they do. */
export function defineImport<const Name extends string, Fields extends TProperties>(
  operation: Omit<ImportOperation<Name, Fields>, 'kind' | 'body'> & { readonly fields: Fields },
): ImportOperation<Name, Fields> {
  const { fields, ...rest } = operation
  return { ...rest, kind: 'import', body: Type.Object(fields, closed) }
}

export function defineExport<const Name extends `export/${string}`, Fields extends TProperties>(
  operation: Omit<ExportOperation<Name, ExportFields<Fields>>, 'kind' | 'body'> & { readonly fields: Fields },
): ExportOperation<Name, ExportFields<Fields>> {
  const { fields, check, ...rest } = operation
  return {
    ...rest,
    kind: 'export',
    body: Type.Object({ input, ...fields }, closed),
    check: (body, place) => [
      ...(check?.(body, place) ?? []),
      ...checkPlaceholders(body, targetFields, ['{name}', '{ext}', '{task}']),
    ],
  }
}

type ExportFields<Fields extends TProperties> = Fields & { readonly input: typeof input }

/** An operation of engines. Its options are what the engines say; `needsOneOf` names those without which it means nothing. */
export function defineProcess<const Name extends string>(
  operation: Omit<ProcessOperation<Name>, 'kind' | 'body'> & { readonly needsOneOf?: NeededOptions },
): ProcessOperation<Name> {
  const { needsOneOf, ...rest } = operation
  const fields = {
    input,
    ...roleFields(rest.inputs.roles),
    // What the inputs of a task are that takes several at once, the inputs tell.
    ...(rest.inputs.files === 'each' && { input_format: Optional(format) }),
    // Results whose contents decide have formats and names of their own.
    ...(rest.output !== 'contents' && {
      output_format: rest.output === 'chosen' ? format : Optional(format),
      filename: Optional(filename),
    }),
    options: needsOneOf ? options : Optional(options),
  }
  return {
    ...rest,
    kind: 'process',
    body: Type.Object(fields, closed),
    check: (body, place) => [
      ...(needsOneOf ? checkNeeded(body, needsOneOf) : []),
      ...(rest.check?.(body, place) ?? []),
    ],
  }
}

function roleFields(roles: Inputs['roles'] = {}): TProperties {
  const fields = Object.entries(roles).map(([name, { description, isOptional }]) => {
    const field = { ...reference, description: `${description} The id or name of a task that has one file.` }
    return [name, isOptional ? Optional(field) : field] as const
  })
  return Object.fromEntries(fields)
}

interface NeededOptions {
  readonly options: readonly string[]
  /** What is missing without them: `must say what to keep`. */
  readonly msg: string
}

function checkNeeded({ options }: Body, needed: NeededOptions): FieldError[] {
  if (typeof options !== 'object' || options === null) return []
  if (needed.options.some((name) => Object.hasOwn(options, name))) return []
  const names = needed.options.length === 1 ? needed.options[0] : `at least one of ${needed.options.join(', ')}`
  return [{ path: 'options', code: 'required', msg: `${needed.msg}: ${names}.` }]
}

const targetFields = ['key', 'file', 'blob', 'file_string']
