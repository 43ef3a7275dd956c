const place = 'lathe.key'
let inMemory: string | undefined

/** A pasted API key: stored for this tab only, and gone when it closes. */
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
      // Storage may be blocked: then the key lasts until the page is closed.
    }
  },
}
