/** Runs `work` `count` times, at most `width` at once; stops at the first error. */
export async function inLanes(count: number, width: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

/** How many of `count` runs are done per second, at most `width` at once. */
export async function rateOf(count: number, width: number, work: (i: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await inLanes(count, width, work)
  return (count * 1000) / (performance.now() - startedAt)
}
