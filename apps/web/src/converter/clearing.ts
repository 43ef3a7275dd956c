import { resumeLookUps } from './look-up.ts'
import { remove } from './running.ts'
import { addItems, blobs, converter } from './state.ts'

// Long enough to notice the mistake.
const undoMs = 30_000

let kept = new Map<string, Blob>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Removes everything from the list. For a while, that can be undone. */
export function clearList(): void {
  const items = [...converter.get().items.values()]
  kept = new Map([...blobs].filter(([id]) => converter.get().items.has(id)))
  remove(items.filter(({ partOf }) => partOf === undefined).map(({ id }) => id))
  converter.update((state) => ({ ...state, removed: items }))
  clearTimeout(timer)
  timer = setTimeout(forgetRemoved, undoMs)
}

/** Puts back what was removed. */
export function undoClear(): void {
  const { removed = [] } = converter.get()
  for (const [id, blob] of kept) blobs.set(id, blob)
  addItems(removed)
  forgetRemoved()
  resumeLookUps()
}

function forgetRemoved(): void {
  kept = new Map()
  clearTimeout(timer)
  converter.update(({ removed: _removed, ...state }) => state)
}
