/** Counts per name; names with a count of 0 use no memory. */
export interface Tally {
  of(name: string): number
  add(name: string, change: 1 | -1): void
}

export function createTally(): Tally {
  const counts = new Map<string, number>()
  return {
    of: (name) => counts.get(name) ?? 0,
    add(name, change) {
      const count = (counts.get(name) ?? 0) + change
      if (count > 0) counts.set(name, count)
      else counts.delete(name)
    },
  }
}
