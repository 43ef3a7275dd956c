import { invalidField } from '@lathe/domain'
import { limits } from '../limits.ts'
import { type Given, id, type Query, type RawQuery, wholeNumber } from './define-query.ts'

const cursor = (description: string) => id({ description }, 'the id of a document of this list')

/** The page size and the page number. */
export const numberedPaging = {
  per_page: wholeNumber({
    minimum: 1,
    maximum: limits.perPageMax,
    default: limits.perPageDefault,
    description: 'Documents per page.',
  }),
  page: wholeNumber({ minimum: 1, default: 1, description: 'Page number.' }),
}

/** The same, or a cursor. */
export const paging = {
  ...numberedPaging,
  after: cursor('The page that follows this id: `nextCursor` of an answer. Not together with `page`.'),
  before: cursor('The page that ends before this id: `prevCursor` of an answer. Not together with `page`.'),
}

type PagingValues = Given<typeof paging>

/** The requested part of a list: a page by number, or the page next to a known document. */
export interface Paging {
  readonly page: number
  readonly limit: number
  readonly offset: number
  readonly after?: string
  readonly before?: string
}

/** Reads the query of a list: the page, and the filters. */
export function readPage<Values extends PagingValues>(
  query: Query<Values>,
  raw: RawQuery,
  mostPerPage: (filter: Omit<Values, keyof PagingValues>) => number = () => limits.perPageMax,
): Paging & Omit<Values, keyof PagingValues> {
  const { per_page, page, after, before, ...filter } = query.read(raw)
  if (after !== undefined && before !== undefined) {
    throw invalidField('before', 'cannot be combined with after. Give one of the two.', 'conflict')
  }
  const given = after === undefined ? 'before' : 'after'
  const cursor = after ?? before
  if (cursor !== undefined && page !== undefined) {
    throw invalidField('page', `cannot be combined with ${given}. Give one of the two.`, 'conflict')
  }
  const limit = Math.min(per_page ?? limits.perPageDefault, mostPerPage(filter))
  // A page far past the end must be empty, not overflow the bigint of the database.
  const offset = Math.min(((page ?? 1) - 1) * limit, Number.MAX_SAFE_INTEGER)
  return { ...filter, page: page ?? 1, limit, offset, ...(cursor !== undefined && { [given]: cursor }) }
}
