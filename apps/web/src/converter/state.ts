import { createStore, useStore } from '../lib/store.ts'
import { type Item, type Kind, type Options, type Trouble, withoutOutcome } from './item.ts'

/** The target and options of all files of a kind, unless they have their own. */
export interface KindChoice {
  readonly target?: string
  readonly options?: Options
}

export interface ConverterState {
  readonly items: ReadonlyMap<string, Item>
  readonly choices: Readonly<Partial<Record<Kind, KindChoice>>>
  /** What was just removed, which can be undone. */
  readonly removed?: readonly Item[]
  /** False until the list of an earlier visit has been restored. */
  readonly isRead: boolean
}

/** The list of files. Everything in it survives a reload; see `keeping.ts`. */
export const converter = createStore<ConverterState>({ items: new Map(), choices: {}, isRead: false })

/** The content of files, if the page has it. */
export const blobs = new Map<string, Blob>()

export function useItem(id: string): Item | undefined {
  return useStore(converter, ({ items }) => items.get(id))
}

export function useChoices(): ConverterState['choices'] {
  return useStore(converter, ({ choices }) => choices)
}

/** The target of a file: its own choice, or that of its kind. */
export function targetOf(item: Item, choices: ConverterState['choices']): string | undefined {
  return item.target ?? choices[item.kind]?.target
}

export function optionsOf(item: Item, choices: ConverterState['choices']): Options {
  return item.options ?? choices[item.kind]?.options ?? {}
}

/** The files that are merged into one. */
export function partsOf(id: string): readonly string[] {
  return [...converter.get().items.values()].filter(({ partOf }) => partOf === id).map((item) => item.id)
}

/** Puts the files of a merge back on the list, in its place. */
export function dissolve(id: string): void {
  const back = ({ partOf, ...item }: Item): Item => ({ ...withoutOutcome(item), stage: 'staged' })
  converter.update((state) => ({
    ...state,
    items: new Map(
      [...state.items]
        .filter(([one]) => one !== id)
        .map(([one, item]) => [one, item.partOf === id ? back(item) : item] as const),
    ),
  }))
}

/** Changes one file of the list, if it still exists. */
export function changeItem(id: string, change: (item: Item) => Partial<Item>): void {
  replaceItems([id], (item) => ({ ...item, ...change(item) }))
}

/** Replaces several files at once, so that listeners are notified once. */
export function replaceItems(ids: Iterable<string>, change: (item: Item) => Item): void {
  converter.update((state) => {
    const changed = [...ids].flatMap((id) => {
      const item = state.items.get(id)
      const next = item && change(item)
      return next && next !== item ? [[id, next] as const] : []
    })
    if (changed.length === 0) return state
    const items = new Map(state.items)
    for (const [id, item] of changed) items.set(id, item)
    return { ...state, items }
  })
}

/** Marks files as failed, with the reason. */
export function failItems(ids: Iterable<string>, trouble: Trouble): void {
  replaceItems(ids, (item) => ({ ...item, stage: 'failed', trouble }))
}

export function addItems(added: readonly Item[]): void {
  converter.update((state) => ({
    ...state,
    items: new Map([...state.items, ...added.map((item) => [item.id, item] as const)]),
  }))
}

export function removeItems(ids: Iterable<string>): void {
  const gone = new Set(ids)
  for (const id of gone) blobs.delete(id)
  converter.update((state) => ({
    ...state,
    items: new Map([...state.items].filter(([id]) => !gone.has(id))),
  }))
}

export function choose(kind: Kind, choice: KindChoice): void {
  converter.update((state) => ({ ...state, choices: { ...state.choices, [kind]: choice } }))
}
