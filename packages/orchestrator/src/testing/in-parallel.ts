/** Runs `work` `count` times, at most `width` at once; stops at the first error. */
export async function inParallel(count: number, width: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let i = next++; i < count; i = next++) await work(i)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
