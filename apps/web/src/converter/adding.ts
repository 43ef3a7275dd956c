import { loadSettings } from '../api/settings.ts'
import { newId } from '../lib/new-id.ts'
import type { Found } from './found-files.ts'
import type { Item } from './item.ts'
import { nameOfAddress, readAddress, readName } from './read-name.ts'
import { addItems, blobs } from './state.ts'

// More rows than a user reads; the rest can be added once these are done.
const mostItems = 5000
/** Files without a known extension are read, so many are added in parts. */
const partSize = 200

let latest = 0

/** A unique timestamp for each file, which keeps the order after a reload. */
export function nextMoment(): number {
  latest = Math.max(Date.now(), latest + 1)
  return latest
}

/** Adds files to the list. */
export async function addFiles(found: readonly Found[]): Promise<void> {
  const { maxFileBytes } = await loadSettings().catch(() => ({ maxFileBytes: Number.POSITIVE_INFINITY }))
  const ordered = inNaturalOrder(found)
  for (let n = 0; n < Math.min(found.length, mostItems); n += partSize) {
    const part = ordered.slice(n, Math.min(n + partSize, mostItems))
    addItems(await Promise.all(part.map((one) => toItem(one, maxFileBytes))))
  }
}

/** Folders list their files in any order: `page 10` comes after `page 9`. What was chosen one by one keeps its order. */
function inNaturalOrder(found: readonly Found[]): readonly Found[] {
  if (found.every(({ folder }) => folder === '')) return found
  const { compare } = new Intl.Collator(undefined, { numeric: true })
  return found.toSorted((a, b) => compare(a.folder, b.folder) || compare(a.file.name, b.file.name))
}

async function toItem({ file, folder }: Found, maxFileBytes: number): Promise<Item> {
  const id = newId()
  const { name, size } = file
  const item = { id, addedAt: nextMoment(), name, folder, size, ...(await recognize(file)) }
  blobs.set(id, file)
  if (size === 0) return { ...item, stage: 'failed', trouble: { code: 'file_empty', msg: '' } }
  if (size > maxFileBytes) return { ...item, stage: 'failed', trouble: { code: 'file_too_large', msg: '' } }
  return { ...item, stage: 'staged' }
}

/** The format of a file: by its name, and if that says nothing, by its content. */
async function recognize(file: File): Promise<Pick<Item, 'source' | 'kind'>> {
  const named = readName(file.name)
  if (named.source !== '' || file.size === 0) return named
  const { sniff } = await import('./sniff.ts')
  // A file that cannot be read is refused when it is sent.
  return sniff(file, file.name).catch(() => named)
}

/**
 * Adds a file that the service fetches itself. If its URL does not say what it is, the service is asked: at once, or when
 * the user wants it.
 */
export function addAddress(url: string, lookUp: Item['lookUp'] = 'now'): void {
  const id = newId()
  const named = readAddress(url)
  const item = { id, addedAt: nextMoment(), name: nameOfAddress(url), folder: '', size: 0, url, ...named } as const
  const isKnown = named.source !== ''
  addItems([{ ...item, stage: 'staged', ...(!isKnown && lookUp && { lookUp }) }])
  if (!isKnown && lookUp === 'now') void import('./look-up.ts').then((module) => module.lookUp(id))
}
