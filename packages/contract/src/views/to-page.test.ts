import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isValid } from '../parse/check-fields.ts'
import { TaskPageView } from '../schemas/page-view.ts'
import { toPage } from './to-page.ts'

const docs = [{ id: 'a' }, { id: 'b' }]

describe('a page', () => {
  it('has its position in the whole list [S-page-02, S-page-03, S-page-04, S-page-05, S-page-06, S-tasks-08]', () => {
    expect(toPage(docs, { total: 7, limit: 2, page: 2 })).toEqual({
      docs,
      totalDocs: 7,
      limit: 2,
      totalPages: 4,
      page: 2,
      pagingCounter: 3,
      hasPrevPage: true,
      hasNextPage: true,
      prevPage: 1,
      nextPage: 3,
      prevCursor: 'a',
      nextCursor: 'b',
    })
  })

  it('has null for a missing neighbour [S-page-07, S-page-08, S-page-09, S-page-10]', () => {
    expect(toPage([], { total: 4, limit: 2, page: 1 })).toMatchObject({
      hasPrevPage: false,
      prevPage: null,
      nextPage: 2,
    })
    expect(toPage([], { total: 4, limit: 2, page: 2 })).toMatchObject({
      hasNextPage: false,
      nextPage: null,
      prevPage: 1,
    })
  })

  it('has one page and starts counting at 1 when there is nothing at all [D-http-40]', () => {
    expect(toPage([], { total: 0, limit: 50, page: 1 })).toMatchObject({
      totalPages: 1,
      pagingCounter: 1,
      totalDocs: 0,
    })
  })

  it('is empty past the end [D-http-39]', () => {
    expect(toPage([], { total: 3, limit: 2, page: 9 })).toMatchObject({
      docs: [],
      page: 9,
      totalPages: 2,
      hasNextPage: false,
    })
  })

  it('matches its schema, whatever the numbers [S-page-01, S-tasks-02]', () => {
    const facts = fc.record({
      total: fc.nat(),
      limit: fc.integer({ min: 1, max: 200 }),
      page: fc.integer({ min: 1, max: 1e9 }),
    })
    fc.assert(fc.property(facts, (given) => isValid(TaskPageView, toPage([], given))))
  })

  it('is reached from its neighbours [S-page-07, S-page-08, S-page-09, S-page-10]', () => {
    const facts = fc.record({ total: fc.nat(1000), limit: fc.integer({ min: 1, max: 200 }) })
    fc.assert(
      fc.property(facts, (given) => {
        let page = toPage([], { ...given, page: 1 })
        let seen = 1
        while (page.nextPage !== null) {
          const next = toPage([], { ...given, page: page.nextPage })
          expect(next.prevPage).toBe(page.page)
          page = next
          seen++
        }
        expect(seen).toBe(page.totalPages)
      }),
      { numRuns: 50 },
    )
  })

  it('has the cursors of its neighbours, and none where there is no neighbour (C6)', () => {
    expect(toPage(docs, { total: 7, limit: 2, page: 1 })).toMatchObject({ prevCursor: null, nextCursor: 'b' })
    expect(toPage(docs, { total: 2, limit: 2, page: 1 })).toMatchObject({ nextCursor: null })
  })

  it('requested by a cursor has its position by the number of items before it (C6)', () => {
    expect(toPage(docs, { total: 7, limit: 2, page: 1, skipped: 3, hasNext: true })).toMatchObject({
      page: 2,
      pagingCounter: 4,
      hasPrevPage: true,
      prevPage: 1,
      nextPage: 3,
      prevCursor: 'a',
      nextCursor: 'b',
    })
  })

  it('trusts the query on whether another page follows, whatever the total is (C6)', () => {
    expect(toPage(docs, { total: 2, limit: 2, page: 1, hasNext: true })).toMatchObject({
      hasNextPage: true,
      nextPage: 2,
    })
  })
})
