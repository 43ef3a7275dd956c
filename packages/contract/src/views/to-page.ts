import type { Page } from '../schemas/page-view.ts'

/** Where a page lies in the whole. */
export interface PageFacts {
  readonly total: number
  /** Whether counting stopped at the total. */
  readonly capped?: boolean
  readonly limit: number
  readonly page: number
}

/** Wraps documents in the page envelope. A page past the end is empty, and an empty list still has one page. */
export function toPage<T>(docs: readonly T[], { total, capped, limit, page }: PageFacts): Page<T> {
  const totalPages = Math.max(1, Math.ceil(total / limit))
  return {
    docs: [...docs],
    totalDocs: total,
    ...(capped && { totalDocsCapped: true }),
    limit,
    totalPages,
    page,
    pagingCounter: total === 0 ? 1 : (page - 1) * limit + 1,
    hasPrevPage: page > 1,
    hasNextPage: page < totalPages,
    prevPage: page > 1 ? page - 1 : null,
    nextPage: page < totalPages ? page + 1 : null,
  }
}
