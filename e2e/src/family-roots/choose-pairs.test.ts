import { engineFamilies } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import { type Pair, pairs } from '../samples/pair.ts'
import { choosePairs, familyRoots } from './choose-pairs.ts'

const shownBy = (some: readonly Pair[]) =>
  new Set(
    some.flatMap(({ engine, ...pair }) =>
      [pair.operation, `from ${pair.from}`, `to ${pair.to}`].map((word) => `${engine} ${word}`),
    ),
  )

describe('the sample of the family roots', () => {
  it('shows every operation and format of every engine, with few of the pairs', () => {
    const chosen = Object.values(familyRoots).flatMap((families) => choosePairs(pairs, families))
    expect(shownBy(chosen)).toEqual(shownBy(pairs))
    expect(chosen.length).toBeLessThan(pairs.length / 8)
  })

  it('has each pair in the root of its own family', () => {
    expect(Object.values(familyRoots).flat().sort()).toEqual([...engineFamilies].sort())
    const video = (root: string) =>
      choosePairs(pairs, familyRoots[root] ?? []).some(({ engine }) => engine === 'ffmpeg')
    expect(Object.keys(familyRoots).filter(video)).toEqual(['media'])
  })
})
