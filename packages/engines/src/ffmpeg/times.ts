import { mediaLimits } from '../media/limits.ts'

/** A point in time as people write it: `83.5`, `1:23.5` or `0:01:23.500`. */
const time = String.raw`(?:\d{1,6}(?:\.\d{1,6})?|(?:\d{1,3}:)?\d{1,2}:[0-5]\d(?:\.\d{1,6})?)`
export const timePattern = new RegExp(`^${time}$`)

/** Points in time separated by commas, one fewer than the maximum number of parts. */
export const timesPattern = new RegExp(`^${time}(?:,${time}){0,${mediaLimits.parts - 2}}$`)

/** Converts a point in time to seconds. The pattern must already be checked. */
export function toSeconds(text: string): number {
  return text.split(':').reduce((total, part) => total * 60 + Number(part), 0)
}

/** Seconds as an argument: plain decimals down to the microsecond, never an exponent. */
export function secondsArgument(seconds: number): string {
  return String(Number(seconds.toFixed(6)))
}
