import type { Item, Options } from './item.ts'
import { blobs, type ConverterState, converter } from './state.ts'

/**
 * Stores the list in IndexedDB, so that it survives a reload. Files are stored until they have been sent, unless they
 * are very large.
 */
const largestKept = 500_000_000
const weekMs = 7 * 24 * 3600 * 1000
const writeEveryMs = 400
// Copying blocks the page: this many take a few milliseconds.
const mostAtOnce = 40

interface Kept {
  readonly item: Item
  readonly blob?: Blob
}

let database: IDBDatabase | undefined
const written = new Map<string, Item>()
let writtenChoices: ConverterState['choices'] | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Restores the list of an earlier visit, then stores changes. Without IndexedDB the list is only in memory. */
export async function keepList(): Promise<void> {
  try {
    database = await open()
    const kept = await readAll(database)
    const choices = await ask<ConverterState['choices'] | undefined>(store('settings').get('choices'))
    const old = kept.filter(({ item }) => Date.now() - item.addedAt > weekMs)
    const fresh = kept.filter(({ item }) => Date.now() - item.addedAt <= weekMs)
    for (const { item, blob } of fresh) {
      written.set(item.id, item)
      if (blob) blobs.set(item.id, blob)
    }
    for (const { item } of old) store('items', 'readwrite').delete(item.id)
    const sorted = fresh.map(({ item }) => item).toSorted((a, b) => a.addedAt - b.addedAt)
    converter.update((state) => ({
      items: new Map([...sorted.map((item) => [item.id, item] as const), ...state.items]),
      choices: { ...choices, ...state.choices },
      isRead: true,
    }))
  } catch {
    converter.update((state) => ({ ...state, isRead: true }))
    return
  }
  converter.subscribe(schedule)
  schedule()
  // Saves the state when the page is closed.
  window.addEventListener('pagehide', () => write(Number.POSITIVE_INFINITY))
}

function schedule(): void {
  timer ??= setTimeout(write, writeEveryMs, mostAtOnce)
}

function write(most: number): void {
  clearTimeout(timer)
  timer = undefined
  if (!database) return
  const { items, choices } = converter.get()
  const changed = [...items.values()].filter((item) => written.get(item.id) !== item).slice(0, most)
  if (changed.length === most) timer = setTimeout(write, 0, mostAtOnce)
  const gone = [...written.keys()].filter((id) => !items.has(id))
  if (changed.length > 0 || gone.length > 0) {
    const place = store('items', 'readwrite')
    for (const item of changed) {
      place.put(toKept(item), item.id)
      written.set(item.id, item)
    }
    for (const id of gone) {
      place.delete(id)
      written.delete(id)
    }
    commit(place)
  }
  if (choices !== writtenChoices) {
    const settings = store('settings', 'readwrite')
    settings.put(withoutSecrets(choices), 'choices')
    commit(settings)
    writtenChoices = choices
  }
}

function toKept(item: Item): Kept {
  const blob = blobs.get(item.id)
  const isNeeded = item.stage !== 'done' && item.stage !== 'queued' && item.stage !== 'running'
  const shown = item.options ? { ...item, options: withoutPasswords(item.options) } : item
  return blob && isNeeded && blob.size <= largestKept ? { item: shown, blob } : { item: shown }
}

function withoutSecrets(choices: ConverterState['choices']): ConverterState['choices'] {
  const kept = Object.entries(choices).map(([kind, choice]) => [
    kind,
    choice.options ? { ...choice, options: withoutPasswords(choice.options) } : choice,
  ])
  return Object.fromEntries(kept)
}

/** Passwords are not stored. */
function withoutPasswords(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !name.includes('password')))
}

/** Browsers discard a transaction that is not committed when its page is closed. */
function commit({ transaction }: IDBObjectStore): void {
  transaction.commit()
}

function store(name: 'items' | 'settings', mode: IDBTransactionMode = 'readonly'): IDBObjectStore {
  if (!database) throw new Error('the database is not open')
  return database.transaction(name, mode).objectStore(name)
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('lathe', 1)
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('items')
    request.result.createObjectStore('settings')
  })
  return ask(request)
}

function readAll(from: IDBDatabase): Promise<Kept[]> {
  return ask(from.transaction('items').objectStore('items').getAll() as IDBRequest<Kept[]>)
}

function ask<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
