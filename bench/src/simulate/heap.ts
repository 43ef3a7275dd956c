/** Items ordered by key; items with the same key keep their insertion order. */
export interface Heap<T> {
  readonly size: number
  add(key: number, value: T): void
  /** The key of the first item. */
  readonly firstKey: number | undefined
  readonly first: T | undefined
  /** Removes and returns the first item. */
  take(): T | undefined
}

interface Item<T> {
  readonly key: number
  readonly order: number
  readonly value: T
}

export function createHeap<T>(): Heap<T> {
  const items: Item<T>[] = []
  let added = 0
  const isBefore = (a: Item<T>, b: Item<T>) => a.key < b.key || (a.key === b.key && a.order < b.order)

  function rise(item: Item<T>, from: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] as Item<T>
      if (!isBefore(item, above)) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  function sink(item: Item<T>): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= items.length) break
      const right = left + 1
      const isRight = right < items.length && isBefore(items[right] as Item<T>, items[left] as Item<T>)
      const below = items[isRight ? right : left] as Item<T>
      if (!isBefore(below, item)) break
      items[at] = below
      at = isRight ? right : left
    }
    items[at] = item
  }

  return {
    get size() {
      return items.length
    },
    get firstKey() {
      return items[0]?.key
    },
    get first() {
      return items[0]?.value
    },
    add(key, value) {
      added += 1
      items.length += 1
      rise({ key, order: added, value }, items.length - 1)
    },
    take() {
      const [first] = items
      const last = items.pop()
      if (last && items.length > 0) sink(last)
      return first?.value
    },
  }
}
