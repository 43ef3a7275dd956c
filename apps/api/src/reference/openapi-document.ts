/** The parts of an OpenAPI document that the page shows. */
export interface OpenApiDocument {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Ref)[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Ref>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Response {
  readonly description: string
  readonly content?: Content
}

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>

export interface Ref {
  readonly $ref: string
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

/** The last part of a reference: the name of what it points to. */
export function refName($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}
