import { describe, expect, it } from 'vitest'
import { pageOf } from './page-of.ts'

const all = ['e', 'd', 'c', 'b', 'a'].map((id) => ({ id }))
const page = { page: 1, limit: 2, offset: 0 }
const idsOf = (paging: Parameters<typeof pageOf>[1]) => pageOf(all, paging).docs.map(({ id }) => id)

describe('a page of a list in memory', () => {
  it('is found by its number', () => {
    expect(idsOf(page)).toEqual(['e', 'd'])
    expect(pageOf(all, { page: 3, limit: 2, offset: 4 })).toMatchObject({
      docs: [{ id: 'a' }],
      facts: { hasNext: false },
    })
  })

  it('is found after and before a document, whether that is still there or not', () => {
    expect(idsOf({ ...page, after: 'd' })).toEqual(['c', 'b'])
    expect(pageOf(all, { ...page, after: 'd' }).facts).toMatchObject({ skipped: 2, hasNext: true, total: 5 })
    expect(idsOf({ ...page, after: 'cc' })).toEqual(['c', 'b'])
    expect(idsOf({ ...page, after: 'a' })).toEqual([])
    expect(idsOf({ ...page, before: 'b' })).toEqual(['d', 'c'])
    expect(idsOf({ ...page, before: 'd' })).toEqual(['e'])
    expect(idsOf({ ...page, before: 'e' })).toEqual([])
  })
})
