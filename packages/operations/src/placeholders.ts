import type { FieldError } from '@lathe/domain'

/** Refuses unknown placeholders, which would appear unchanged in the result. */
export function checkPlaceholders(body: object, fields: readonly string[], known: readonly string[]): FieldError[] {
  return fields.flatMap((path) => {
    const text: unknown = Reflect.get(body, path)
    if (typeof text !== 'string') return []
    const unknown = (text.match(/\{[^{}]*\}/g) ?? []).filter((found) => !known.includes(found))
    if (unknown.length === 0) return []
    return [{ path, msg: `holds ${unknown.join(', ')}. Placeholders: ${known.join(', ')}.` }]
  })
}
