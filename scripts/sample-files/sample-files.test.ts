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
