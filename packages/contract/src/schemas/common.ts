import { isObjectId } from '@lathe/domain'
import { Type } from 'typebox'

/** An id as it appears in responses: 24 lower-case hex digits. */
export const ObjectIdSchema = Type.String({ pattern: '^[0-9a-f]{24}$', examples: ['66f2c1a0000100a1b2c3d4e5'] })

/** The pattern of ids in requests: upper and lower case. */
export const idPattern = '^[0-9a-fA-F]{24}$'

/** An id in a request. */
export const ObjectIdParameter = Type.String({
  pattern: idPattern,
  examples: ['66f2c1a0000100a1b2c3d4e5'],
})

/** A time in UTC, ISO 8601 with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-01T12:00:00.000Z'] })

/** A time, or null if there is none yet. */
export const NullableTimestamp = Type.Union([Timestamp, Type.Null()])

/** Converts an id to lower case; undefined if the text is not an id. */
export function normalizeId(text: string): string | undefined {
  return isObjectId(text) ? text.toLowerCase() : undefined
}
