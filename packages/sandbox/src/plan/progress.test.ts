import { describe, expect, it } from 'vitest'
import { createProgress } from './progress.ts'

function recorded() {
  const shares: number[] = []
  return { shares, progress: createProgress((share) => shares.push(share)) }
}

describe('the progress of plans', () => {
  it('counts steps by their weight', () => {
    const { shares, progress } = recorded()
    progress.begin([1, 3], false)
    progress.tell(0, 1)
    progress.tell(1, 0.5)
    progress.tell(1, 1)
    expect(shares).toEqual([0.25, 0.625, 1])
  })

  it('reserves a share for a plan that may follow', () => {
    const { shares, progress } = recorded()
    progress.begin([1], true)
    progress.tell(0, 1)
    progress.begin([1], true)
    progress.tell(0, 1)
    progress.begin([1], false)
    progress.tell(0, 1)
    expect(shares).toEqual([0.5, 0.75, 1])
  })

  it('never decreases or exceeds the end', () => {
    const { shares, progress } = recorded()
    progress.begin([1], false)
    for (const share of [0.4, 0.2, 0.4, 7, -1]) progress.tell(0, share)
    expect(shares).toEqual([0.4, 1])
  })

  it('is not reported for a plan without weights', () => {
    const { shares, progress } = recorded()
    progress.begin([0], false)
    progress.tell(0, 1)
    expect(shares).toEqual([])
  })
})
