import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListedObject } from '../object-store.ts'
import { entriesOf, isTemporary } from './delete-files.ts'
import { ignoreMissing } from './write-in-place.ts'

const pageSize = 1000

/** Lists the files whose key has this prefix. */
export async function* listFiles(dir: string, prefix: string): AsyncGenerator<readonly ListedObject[]> {
  let page: ListedObject[] = []
  for await (const key of keysUnder(dir, prefix)) {
    // A copy is a hard link: its modification time is that of the original, its change time is that of the copy or later.
    const found = await stat(join(dir, key)).catch(ignoreMissing)
    if (found) page.push({ key, writtenAt: found.ctime })
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

async function* keysUnder(dir: string, prefix: string): AsyncGenerator<string> {
  const cut = prefix.lastIndexOf('/') + 1
  const [folder, start] = [prefix.slice(0, cut), prefix.slice(cut)]
  for await (const entry of entriesOf(join(dir, folder))) {
    if (!entry.name.startsWith(start) || isTemporary(entry)) continue
    if (entry.isDirectory()) yield* keysUnder(dir, `${folder}${entry.name}/`)
    else yield `${folder}${entry.name}`
  }
}
