import { describe, expect, it } from 'vitest'
import { toArchiveFolder } from './archive-folders.ts'

describe('a folder in a ZIP', () => {
  it.each([
    ['album/day 1', 'album/day 1'],
    ['', ''],
    ['../a/./b//c', 'a/b/c'],
    ['a\\b/c\nd', 'a_b/c_d'],
    ['\ud800', '\ufffd'],
    ['x'.repeat(300), 'x'.repeat(255)],
    ['ab/'.repeat(400), 'ab/'.repeat(333).slice(0, -1)],
  ])('%j becomes %j', (folder, path) => {
    expect(toArchiveFolder(folder)).toBe(path)
  })
})
