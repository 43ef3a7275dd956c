import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiRoutes } from '../openapi.ts'
import { stack } from '../scenario.ts'

const seen = new Set(readFileSync(stack.recordFile, 'utf8').trim().split('\n'))

it('every route of the document was exercised, and every success it documents was seen', () => {
  const wanted = apiRoutes.flatMap(({ operationId, successes }) =>
    successes.map((status) => `${operationId} ${status}`),
  )
  expect(wanted.length).toBeGreaterThan(30)
  expect(wanted.filter((row) => !seen.has(row))).toEqual([])
})

it('every route that is not available yet was requested and refused', () => {
  const later = apiRoutes.filter(({ successes }) => successes.length === 0)
  expect(later.map(({ operationId }) => `${operationId} 400`).filter((row) => !seen.has(row))).toEqual([])
})

it('every error status of the document was seen', () => {
  const statuses = new Set([...seen].map((row) => row.split(' ')[1]))
  for (const status of ['400', '401', '403', '404', '405', '406', '409', '429']) expect(statuses).toContain(status)
})
