import { expect, it } from 'vitest'
import type { Item } from '../item.ts'
import { nameArchive } from './name-archive.ts'

const item = (folder: string, kind: Item['kind'] = 'image') => ({ folder, kind }) as Item
const nameOf = (items: readonly Item[]) => nameArchive(items, (kind) => kind ?? 'all')

it('a ZIP has the name of the folder that all its files come from, or else of what they are', () => {
  expect(nameOf([item('holiday/day 1'), item('holiday/day 2')])).toBe('holiday')
  expect(nameOf([item('holiday'), item('work')])).toBe('image')
  expect(nameOf([item('holiday'), item('')])).toBe('image')
  expect(nameOf([item(''), item('', 'document')])).toBe('all')
  expect(nameOf([item('x'.repeat(250))])).toHaveLength(200)
})
