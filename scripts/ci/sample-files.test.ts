import { expect, it } from 'vitest'
import { sampleFiles } from './sample-files.ts'

const files = Array.from({ length: 20 }, (_, n) => `e2e/${n}.test.ts`)

it('takes the same files for the same seed, and other files for another', () => {
  const some = sampleFiles(files, { seed: '1', count: 10 })
  expect(some).toHaveLength(10)
  expect(sampleFiles(files.toReversed(), { seed: '1', count: 10 })).toEqual(some)
  expect(sampleFiles(files, { seed: '2', count: 10 })).not.toEqual(some)
})

it('takes every file with some seed', () => {
  const seeds = Array.from({ length: 20 }, (_, n) => String(n))
  expect(new Set(seeds.flatMap((seed) => sampleFiles(files, { seed, count: 10 }))).size).toBe(20)
})

it('takes the files that every sample has, and fills up with others by the seed', () => {
  const always = ['3.test', '17']
  const seeds = Array.from({ length: 20 }, (_, n) => String(n))
  for (const seed of seeds) {
    const some = sampleFiles(files, { seed, count: 4, always })
    expect(some).toHaveLength(4)
    expect(some).toEqual(expect.arrayContaining(['e2e/3.test.ts', 'e2e/17.test.ts']))
  }
  expect(new Set(seeds.flatMap((seed) => sampleFiles(files, { seed, count: 4, always }))).size).toBeGreaterThan(10)
})

it('refuses a name that no file has any more', () => {
  expect(() => sampleFiles(files, { seed: '1', count: 4, always: ['backup'] })).toThrow('begins with backup')
})
