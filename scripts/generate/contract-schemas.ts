import { buildOpenApi } from '@lathe/contract'

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly description?: string
}

export type NamedSchema = readonly [name: string, schema: Schema]

/**
 * Every request and response schema of the API by name. Clients rename `Error` and `Event`, because their platforms use
 * these names.
 */
export function contractSchemas(): readonly NamedSchema[] {
  return Object.entries(readContract().components.schemas).map(([name, schema]) => [toName(name), schema])
}

/** The names of schemas used in requests; all others are part of responses. */
export function requestNames(): ReadonlySet<string> {
  const { paths, components } = readContract()
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of (JSON.stringify(value) ?? '').matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(components.schemas[name])
    }
  }
  for (const path of Object.values(paths)) for (const { requestBody } of Object.values(path)) visit(requestBody)
  return found
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly requestBody?: unknown }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

function readContract(): Contract {
  return buildOpenApi({ version: '' }) as unknown as Contract
}

/** The name of the schema that a reference points to. */
export function nameOfRef(ref: string): string {
  return toName(ref.split('/').at(-1) ?? '')
}

/** The schema of the values of an object without named properties, if it is known. */
export function valueSchema({ patternProperties, additionalProperties }: Schema): Schema | undefined {
  const value = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  return typeof value === 'object' ? value : undefined
}

function toName(name: string): string {
  return name === 'Error' || name === 'Event' ? `Api${name}` : name
}
