const place = 'lathe.key'
let inMemory: string | undefined

/** An API key that somebody pasted: kept for this tab alone, and gone when it closes. */
export const keptKey = {
  get(): string | undefined {
    try {
      return inMemory ?? sessionStorage.getItem(place) ?? undefined
    } catch {
      return inMemory
    }
  },
  set(key: string | undefined): void {
    inMemory = key
    try {
      if (key === undefined) sessionStorage.removeItem(place)
      else sessionStorage.setItem(place, key)
    } catch {
      // Storage may be forbidden: then it lives until the page is left.
    }
  },
}
