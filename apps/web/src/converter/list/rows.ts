import type { Item, Kind } from '../item.ts'

/** A row of the list, from top to bottom. */
export type Row =
  | { readonly key: string; readonly type: 'head'; readonly kind: Kind; readonly ids: readonly string[] }
  | {
      readonly key: string
      readonly type: 'file'
      readonly id: string
      readonly place: number
      readonly isLast: boolean
    }

const order: readonly Kind[] = ['image', 'document', 'page', 'text', 'video', 'audio', 'archive', 'other']

/** Groups files by kind, each kind under its header. */
export function toRows(items: Iterable<Item>): readonly Row[] {
  const listed = [...items].filter(({ partOf }) => partOf === undefined)
  const byKind = Map.groupBy(listed, ({ kind }) => kind)
  let place = 0
  return order.flatMap((kind): readonly Row[] => {
    const ids = (byKind.get(kind) ?? []).map(({ id }) => id)
    if (ids.length === 0) return []
    const files = ids.map((id, n) => {
      place += 1
      return { key: id, type: 'file', id, place, isLast: n === ids.length - 1 } as const
    })
    return [{ key: kind, type: 'head', kind, ids }, ...files]
  })
}
