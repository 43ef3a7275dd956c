/** A time on the wire, or null if not set. */
export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
