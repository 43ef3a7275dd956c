import type { PageFacts } from '@lathe/contract'

/** The requested page of a list: by number, or next to a document. */
interface Paging {
  readonly page: number
  readonly limit: number
  readonly offset: number
  readonly after?: string
  readonly before?: string
}

/** Returns the requested page of a list in memory, newest first. */
export function pageOf<T extends { readonly id: string }>(
  all: readonly T[],
  { page, limit, offset, after, before }: Paging,
): { readonly docs: readonly T[]; readonly facts: PageFacts } {
  const start = startOf(all, {
    limit,
    offset,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  })
  const end = before === undefined ? start + limit : all.filter(({ id }) => id > before).length
  const docs = all.slice(start, end)
  const byCursor = after !== undefined || before !== undefined
  const hasNext = start + docs.length < all.length
  return { docs, facts: { total: all.length, limit, page, hasNext, ...(byCursor && { skipped: start }) } }
}

function startOf<T extends { readonly id: string }>(
  all: readonly T[],
  { limit, offset, after, before }: Omit<Paging, 'page'>,
): number {
  if (after !== undefined) return all.filter(({ id }) => id >= after).length
  if (before !== undefined) return Math.max(0, all.filter(({ id }) => id > before).length - limit)
  return offset
}
