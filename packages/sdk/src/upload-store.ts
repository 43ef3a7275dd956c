/** Where unfinished uploads are remembered: `localStorage`, or anything with its methods. */
export interface UploadStore {
  getItem(key: string): string | null | Promise<string | null>
  setItem(key: string, value: string): void | Promise<void>
  removeItem(key: string): void | Promise<void>
}

const mostRemembered = 100

/** Remembers uploads as long as the process runs. */
export function createMemoryStore(): UploadStore {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      items.set(key, value)
      if (items.size > mostRemembered) items.delete(items.keys().next().value ?? '')
    },
    removeItem: (key) => void items.delete(key),
  }
}
