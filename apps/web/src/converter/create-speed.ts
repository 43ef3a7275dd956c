// Short enough to notice a slower network, long enough that the number can be read.
const stepMs = 1000
const weight = 0.4

/** Measures how fast something goes, smoothed: bytes per second, undefined in the first second. */
export function createSpeed(): (bytes: number, nowMs: number) => number | undefined {
  let since: { readonly bytes: number; readonly atMs: number } | undefined
  let speed: number | undefined
  return (bytes, nowMs) => {
    // A transfer that starts again has sent less than before.
    if (since === undefined || bytes < since.bytes) since = { bytes, atMs: nowMs }
    const took = nowMs - since.atMs
    if (took < stepMs) return speed
    const now = ((bytes - since.bytes) * 1000) / took
    speed = speed === undefined ? now : speed + weight * (now - speed)
    since = { bytes, atMs: nowMs }
    return speed
  }
}
