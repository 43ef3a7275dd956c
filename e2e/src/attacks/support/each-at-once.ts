/** Works on items a few at a time; returns the results in the order of the items. */
export async function eachAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const queue = [...items.entries()]
  const drain = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, drain))
  return results
}
