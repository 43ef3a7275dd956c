import type { FieldError } from '@lathe/domain'
import { type Static, type TObject, type TOptional, type TProperties, Type } from 'typebox'
import { filename, format, input, isolation, options, reference } from './fields.ts'
import { checkPlaceholders } from './placeholders.ts'

/** A JSON object of a request, not validated yet. */
export type Body = Readonly<Record<string, unknown>>

interface Common<Name extends string, Fields extends TProperties> {
  readonly name: Name
  readonly summary: string
  readonly description: string
  readonly body: TObject<Fields>
  /** Rules that the schema cannot express. It gets only bodies that match the schema. */
  check?(body: Static<TObject<Fields>>, place: { readonly inJob: boolean }): readonly FieldError[]
}

/** Imports files into the service. */
export interface ImportOperation<Name extends string = string, Fields extends TProperties = TProperties>
  extends Common<Name, Fields> {
  readonly kind: 'import'
  /** Whether the task waits for the client to upload the file. */
  readonly waitsForUpload?: boolean
  /** For a file inside the request: the field that contains it, and how its data is read. */
  readonly content?: { readonly field: string; read(value: string): string | undefined }
  /** Whether a request imports more than one file; one if not given. */
  mayBringSeveral?(body: Static<TObject<Fields>>): boolean
  /** The format of the file, if the request determines it. */
  writes?(body: Static<TObject<Fields>>): string
  /** Fields that apply to some of these formats only. */
  readonly formatsOf?: Readonly<Record<string, readonly string[]>>
}

/** Processes files with an engine. */
export interface ProcessOperation<Name extends string = string> extends Omit<Common<Name, TProperties>, 'body'> {
  readonly kind: 'process'
  readonly body: TObject<ProcessFields>
  readonly inputs: Inputs
  readonly output: Output
  /** Whether it may take several steps, by formats in between, where no engine does it in one. */
  readonly mayTakeSteps?: boolean
}

/** Exports files to their destination. */
export interface ExportOperation<Name extends string = string, Fields extends TProperties = TProperties>
  extends Common<Name, Fields> {
  readonly kind: 'export'
  /** Whether the files stay in the service, for downloads. */
  readonly keepsFiles?: boolean
}

/** The fields of the bodies of all processing operations. One that an operation does not have is never there. */
export type ProcessFields = {
  readonly input: typeof input
  readonly input_format: TOptional<typeof format>
  readonly output_format: TOptional<typeof format>
  readonly filename: TOptional<typeof filename>
  readonly options: TOptional<typeof options>
  readonly isolation: TOptional<typeof isolation>
}

type RoleFields<RoleName extends string> = { readonly [Field in RoleName]: TOptional<typeof reference> }

/** A processing operation with the type of its body. */
export type DefinedProcess<Name extends string, RoleName extends string> = Omit<ProcessOperation<Name>, 'body'> & {
  readonly body: TObject<ProcessFields & RoleFields<RoleName>>
}

export type AnyOperation = ImportOperation | ProcessOperation | ExportOperation

/** Which files one plan of an engine takes. */
export interface Inputs<RoleName extends string = string> {
  /** `each`: every file has its own plan and results. `together`: all files make one result. */
  readonly files: 'each' | 'together'
  /** Minimum number of files of a task; 1 if not given. */
  readonly least?: number
  /** `any`: every file is accepted, even with an unknown format. Otherwise the engines list the formats they accept. */
  readonly formats?: 'any'
  /** Additional files that every plan gets, by the field that names their task. */
  readonly roles?: Readonly<Record<RoleName, Role>>
}

/** A file that an operation needs in addition to its inputs: a logo, the version to compare with. */
export interface Role {
  /** What the file is for: `The image to place.` */
  readonly description: string
  /** The allowed formats; if not given, the format of the first input. */
  readonly formats?: readonly string[]
  readonly isOptional?: boolean
}

/**
 * The format of the result. `chosen`: the request names it. `same`: the format of the input, so either one determines
 * the other. `contents`: it depends on the content of the input, so no request can name it; abilities name the format
 * of the input on both sides.
 * `usual`: the request may name it; otherwise it is this one.
 */
export type Output = 'chosen' | 'same' | 'contents' | { readonly usual: string }

const { Optional } = Type
const closed = { additionalProperties: false } as const

/** An operation without an input. Most are named after the source of the file, `import/url`; others after the work. */
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

/** An operation of engines, which define its options. It requires at least one of the options in `needsOneOf`. */
export function defineProcess<const Name extends string, RoleName extends string = never>(
  operation: Omit<ProcessOperation<Name>, 'kind' | 'body' | 'inputs'> & {
    readonly inputs: Inputs<RoleName>
    readonly needsOneOf?: NeededOptions
  },
): DefinedProcess<Name, RoleName> {
  const { needsOneOf, ...rest } = operation
  const fields = {
    input,
    ...roleFields(rest.inputs.roles),
    // If a task takes several inputs together, each input has its own format.
    ...(rest.inputs.files === 'each' && { input_format: Optional(format) }),
    // Results that depend on the content have their own formats and names.
    ...(rest.output !== 'contents' && {
      output_format: rest.output === 'chosen' ? format : Optional(format),
      filename: Optional(filename),
    }),
    options: needsOneOf ? options : Optional(options),
    isolation: Optional(isolation),
  }
  return {
    ...rest,
    kind: 'process',
    // Which fields there are depends on the definition; `ProcessFields` allows for each of them to be missing.
    body: Type.Object(fields, closed) as unknown as TObject<ProcessFields & RoleFields<RoleName>>,
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
  /** The error without them: `must say what to keep`. */
  readonly msg: string
}

function checkNeeded({ options }: Body, needed: NeededOptions): FieldError[] {
  if (typeof options !== 'object' || options === null) return []
  if (needed.options.some((name) => Object.hasOwn(options, name))) return []
  const names = needed.options.length === 1 ? needed.options[0] : `at least one of ${needed.options.join(', ')}`
  return [{ path: 'options', code: 'required', msg: `${needed.msg}: ${names}.` }]
}

const targetFields = ['key', 'file', 'blob', 'file_string']
