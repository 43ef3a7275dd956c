import { invalidField } from '@lathe/domain'

// Event numbers are 32-bit in the database.
const highest = 2 ** 31 - 1

/** Reads the number of the last event the client has: 0 for none. */
export function parseAfter(value: unknown, path: string): number {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > highest) {
    throw invalidField(path, `must be the seq of an event: an integer from 0 to ${highest}.`)
  }
  return number
}
