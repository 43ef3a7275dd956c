import type { ObjectId } from '@lathe/domain'

/** Hex text as a bytea parameter. Columns of bytea come back as plain hex. */
export function bytes(hex: ObjectId): string {
  return `\\x${hex}`
}

/** Several hex texts as a bytea[] parameter. */
export function manyBytes(hexes: readonly ObjectId[]): string[] {
  return hexes.map(bytes)
}

/** The form in which PostgreSQL prints bytea, as plain hex. */
export function fromBytes(text: string): string {
  return text.slice(2)
}
