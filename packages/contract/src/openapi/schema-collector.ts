import { examples } from './examples.ts'

/** A JSON document. */
export type JsonObject = { readonly [key: string]: unknown }

/** Converts our schemas for a document: a titled schema is moved to the components and referenced. */
export class SchemaCollector {
  readonly components: Record<string, JsonObject> = {}

  /** The schema to use in place: a reference if the schema has a title. */
  refer(schema: object): JsonObject {
    const title = 'title' in schema ? schema.title : undefined
    if (typeof title !== 'string') return this.#copy(schema)
    if (!Object.hasOwn(this.components, title)) {
      // Reserved first, so that a recursive schema does not loop forever.
      this.components[title] = {}
      const example = Object.hasOwn(examples, title) ? { examples: [examples[title]] } : {}
      this.components[title] = { ...this.#copy(schema), ...example }
    }
    return { $ref: `#/components/schemas/${title}` }
  }

  #copy(schema: object): JsonObject {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, this.#value(value)]))
  }

  #value(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#value(item))
    return typeof value === 'object' && value !== null ? this.refer(value) : value
  }
}
