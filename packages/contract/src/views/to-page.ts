import type { Page } from '../schemas/page-view.ts'

/** The position of a page in the list. */
export interface PageFacts {
  readonly total: number
  readonly limit: number
  readonly page: number
  /** Whether there is a next page; computed from the total if not given. */
  readonly hasNext?: boolean
  /** How many documents come before the first, if the page was requested by cursor instead of number. */
  readonly skipped?: number
}

/** Wraps documents in the page envelope. A page past the end is empty, and an empty list still has one page. */
export function toPage<T extends { readonly id: string }>(docs: readonly T[], facts: PageFacts): Page<T> {
  const { total, limit, skipped = (facts.page - 1) * limit } = facts
  const totalPages = Math.max(1, Math.ceil(total / limit))
  const page = facts.skipped === undefined ? facts.page : Math.floor(skipped / limit) + 1
  const { hasNext = page < totalPages } = facts
  const hasPrev = skipped > 0
  return {
    docs: [...docs],
    totalDocs: total,
    limit,
    totalPages,
    page,
    pagingCounter: total === 0 ? 1 : skipped + 1,
    hasPrevPage: hasPrev,
    hasNextPage: hasNext,
    prevPage: hasPrev ? Math.max(1, page - 1) : null,
    nextPage: hasNext ? page + 1 : null,
    prevCursor: hasPrev ? (docs[0]?.id ?? null) : null,
    nextCursor: hasNext ? (docs.at(-1)?.id ?? null) : null,
  }
}
