import { type Html, html } from './html.ts'
import { refName, type Schema } from './openapi-document.ts'
import { renderLine } from './render-text.ts'

/** A table of the fields of an object, or the type of any other schema. */
export function renderSchema(schema: Schema): Html {
  if (!schema.properties) return html`<p>${renderType(schema)}</p>`
  const rows = Object.entries(schema.properties).map(([name, property]) =>
    renderField({ name, schema: property, isRequired: schema.required?.includes(name) === true }),
  )
  return renderFields(rows)
}

export function renderFields(rows: readonly Html[]): Html {
  return html`<table><tbody>${rows}</tbody></table>`
}

export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description?: string | undefined
  /** Where the field is sent, unless in the body. */
  readonly place?: string
}

/** One field: its name, type and description. */
export function renderField({ name, schema, isRequired, place, description = schema.description }: Field): Html {
  return html`<tr>
<th scope="row"><code>${name}</code>${place && html`<small>${place}</small>`}${isRequired && html`<small class="required">required</small>`}</th>
<td><div>${renderType(schema)} <small>${limitsOf(schema)}</small></div>
${description && html`<div>${renderLine(description)}</div>`}
${schema.properties && renderSchema(schema)}</td>
</tr>`
}

/** A short form of the type; a named schema links to its section. */
export function renderType(schema: Schema): Html {
  const either = schema.anyOf ?? schema.oneOf
  if (schema.$ref !== undefined) {
    const name = refName(schema.$ref)
    return html`<a href="#type-${name}">${name}</a>`
  }
  if (either) return html`${joined(either.map(renderType))}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) return html`${joined(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`))}`
  if (schema.items) return html`array of ${renderType(schema.items)}`
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return html`object of ${renderType(schema.additionalProperties)}`
  return html`${schema.format ?? schema.type ?? 'any'}`
}

const joined = (parts: readonly Html[]) => parts.flatMap((part, n) => (n === 0 ? [part] : [html` or `, part]))

function limitsOf({ minimum, maximum, maxLength, maxItems, default: preset, examples }: Schema): string {
  const limits = [
    minimum !== undefined && maximum !== undefined && `${minimum} to ${maximum}`,
    minimum !== undefined && maximum === undefined && `from ${minimum}`,
    minimum === undefined && maximum !== undefined && `up to ${maximum}`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    maxItems !== undefined && `up to ${maxItems} items`,
    preset !== undefined && `default ${JSON.stringify(preset)}`,
    examples?.[0] !== undefined && typeof examples[0] !== 'object' && `for example ${examples[0]}`,
  ]
  return limits.filter(Boolean).join(', ')
}
