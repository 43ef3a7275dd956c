import { expect, it } from 'vitest'
import { expiryOf, isExpired, withoutExpiredImport } from './expiry.ts'
import type { Item } from './item.ts'

const at = (expiresAt: string): Item => ({
  ...{ id: 'a', addedAt: 0, name: 'a.png', folder: '', size: 1, source: 'png', kind: 'image', stage: 'done' },
  importedId: 'import',
  result: { path: '/x', files: [], size: 1, expiresAt, warnings: [] },
})

it('a result expires at its time, and not before', () => {
  const item = at('2026-01-31T12:00:00Z')
  const time = Date.parse('2026-01-31T12:00:00Z')
  expect([isExpired(item, time - 1), isExpired(item, time)]).toEqual([false, true])
})

it('only results expire', () => {
  expect(expiryOf({ stage: 'staged' })).toBeUndefined()
  expect(isExpired({ ...at('2020-01-01T00:00:00Z'), stage: 'failed' })).toBe(false)
  // Results stored by an earlier version of the page.
  expect(isExpired(at(''))).toBe(false)
})

it('what has expired has to be sent again', () => {
  expect(withoutExpiredImport(at('2020-01-01T00:00:00Z'))).not.toHaveProperty('importedId')
  expect(withoutExpiredImport(at('9999-01-01T00:00:00Z')).importedId).toBe('import')
})
