/**
 * Does the work for each item, one after the other, also after some have failed: one tenant's poisoned item must not
 * stop what others wait for. Throws at the end if any failed; otherwise returns how many there were.
 */
export async function forEachSafely<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<number> {
  const errors: unknown[] = []
  let count = 0
  for (const item of items) {
    count += 1
    try {
      await work(item)
    } catch (error) {
      errors.push(error)
    }
  }
  throwIfSome(errors, count)
  return count
}

/**
 * Goes through all items of a query, page by page, and does the work for each page, also after some have failed. Throws
 * at the end if any failed; otherwise returns how many items there were.
 */
export async function forEachPageSafely<T>(
  read: (after: T | undefined) => Promise<readonly T[]>,
  work: (page: readonly T[]) => Promise<unknown>,
): Promise<number> {
  const errors: unknown[] = []
  let [count, pages] = [0, 0]
  for (let after: T | undefined; ; ) {
    const page = await read(after)
    after = page.at(-1)
    if (after === undefined) break
    count += page.length
    pages += 1
    try {
      await work(page)
    } catch (error) {
      errors.push(error)
    }
  }
  throwIfSome(errors, pages)
  return count
}

function throwIfSome(errors: readonly unknown[], count: number): void {
  const [first] = errors
  if (errors.length === 0) return
  const cause = first instanceof Error ? first.message : String(first)
  throw new AggregateError(errors, `${errors.length} of ${count} failed, the first one: ${cause}`, { cause: first })
}
