import { nameOfRef, type Schema, valueSchema } from './contract-schemas.ts'

/** The differences between requests and responses in Python. */
export interface PythonDialect {
  readonly list: string
  readonly mapping: string
  /** Types of strings by their format; `str` unless named. */
  readonly formats: Readonly<Record<string, string>>
  /** Adds a class for a field that has its own properties. */
  nested(name: string, schema: Schema): void
}

/** The Python type of a schema; `name` is the class name if it needs a class. */
export function pythonType(schema: Schema, name: string, dialect: PythonDialect): string {
  if (schema.$ref !== undefined) return nameOfRef(schema.$ref)
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionType(choices, name, dialect)
  if (schema.type === 'array') return `${dialect.list}[${pythonType(schema.items ?? {}, singular(name), dialect)}]`
  if (schema.type === 'object') return objectType(schema, name, dialect)
  if (schema.type === 'string') return dialect.formats[schema.format ?? ''] ?? 'str'
  return scalars[schema.type ?? ''] ?? 'Any'
}

const scalars: Readonly<Record<string, string>> = { integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

function unionType(choices: readonly Schema[], name: string, dialect: PythonDialect): string {
  const isPlain = choices.every(({ type, properties }) => type === 'object' && properties !== undefined)
  if (!isPlain) return [...new Set(choices.map((one) => pythonType(one, name, dialect)))].join(' | ')
  // One class with all fields, of which those of one choice are set: simpler to read than two classes.
  const properties = Object.assign({}, ...choices.map((one) => one.properties))
  dialect.nested(name, { type: 'object', properties })
  return name
}

function objectType(schema: Schema, name: string, dialect: PythonDialect): string {
  if (schema.properties === undefined) {
    const value = valueSchema(schema)
    return `${dialect.mapping}[str, ${value ? pythonType(value, singular(name), dialect) : 'Any'}]`
  }
  dialect.nested(name, schema)
  return name
}

export function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

/** Converts `createdAt` to snake case. The client does the same when it reads a response. */
export function toSnakeCase(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return keywords.has(snake) ? `${snake}_` : snake
}

const keywords = new Set([
  'from',
  'import',
  'in',
  'is',
  'class',
  'async',
  'for',
  'if',
  'not',
  'or',
  'and',
  'with',
  'as',
])

/** The class name for a field of another class. */
export function toClassName(parent: string, field: string): string {
  return parent + field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * The docstring of a class or field. Escapes backslashes and triple quotes, and adds a space after a final quotation
 * mark.
 */
export function docstring(text: string | undefined, indent: string): string {
  if (text === undefined) return ''
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  return `\n${indent}"""${escaped}${escaped.endsWith('"') ? ' ' : ''}"""`
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name
}
