/** A moment on the wire, or null where it has not come. */
export function toIso(time: Date | null): string | null {
  return time === null ? null : time.toISOString()
}
