import type { ObjectId } from '@lathe/domain'

/** Hex text as a bytea parameter. Bytea columns are returned as plain hex. */
export function bytes(hex: ObjectId): string {
  return `\\x${hex}`
}

/** Several hex strings as a bytea[] parameter. */
export function manyBytes(hexes: readonly ObjectId[]): string[] {
  return hexes.map(bytes)
}

/** Converts PostgreSQL's text form of bytea to plain hex. */
export function fromBytes(text: string): string {
  return text.slice(2)
}
