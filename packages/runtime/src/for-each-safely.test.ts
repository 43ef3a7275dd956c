import { describe, expect, it } from 'vitest'
import { forEachPageSafely, forEachSafely } from './for-each-safely.ts'

/** Work that fails for some numbers and notes the others. */
function workFailingFor(...bad: readonly number[]) {
  const done: number[] = []
  const work = async (n: number) => {
    if (bad.includes(n)) throw new Error(`no ${n}`)
    done.push(n)
  }
  return { done, work }
}

describe('work for each item', () => {
  it('continues after items that fail, and names the first of them at the end', async () => {
    const { done, work } = workFailingFor(1, 3)
    await expect(forEachSafely([1, 2, 3, 4], work)).rejects.toMatchObject({
      message: '2 of 4 failed, the first one: no 1',
      errors: [{ message: 'no 1' }, { message: 'no 3' }],
    })
    expect(done).toEqual([2, 4])
  })

  it('returns how many there were', async () => {
    expect(await forEachSafely([1, 2], async () => {})).toBe(2)
    expect(await forEachSafely([], async () => {})).toBe(0)
  })

  it('reaches every page, although the items of the first one stay', async () => {
    const { done, work } = workFailingFor(1, 2)
    const pages = (after = 0) => [1, 2, 3, 4, 5].filter((n) => n > after).slice(0, 2)
    const run = forEachPageSafely<number>(
      async (after) => pages(after),
      (page) => forEachSafely(page, work),
    )
    await expect(run).rejects.toThrow('1 of 3 failed, the first one: 2 of 2 failed, the first one: no 1')
    expect(done).toEqual([3, 4, 5])
  })
})
