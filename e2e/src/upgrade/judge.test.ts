import { describe, expect, it } from 'vitest'
import type { Phase } from './book.ts'
import { judge } from './judge.ts'

const phase = (name: string, given: Partial<Phase> = {}): Phase => ({
  name,
  kind: 'mixed',
  requests: [5],
  jobs: [100],
  videos: [],
  failed: [],
  rejected: [],
  ...given,
})
const solo = phase('all old', { kind: 'solo' })
const faultsOf = (given: Partial<Phase>, judgesTime = true) =>
  judge([solo, phase('mixed', given)], { judgesTime }).at(-1)?.faults

describe('a phase', () => {
  it('is good when nothing failed, nothing was rejected and it was at most twice as slow as solo', () => {
    expect(faultsOf({ jobs: [200] })).toEqual([])
  })

  it('is bad by each of these', () => {
    expect(faultsOf({ jobs: [201] })).toEqual(['p95 was 201 ms, 2.01× of 100 ms solo'])
    expect(faultsOf({ failed: ['job 1 is failed'] })).toEqual(['job 1 is failed'])
    expect(faultsOf({ rejected: ['POST answered 502'] })).toEqual(['POST answered 502'])
    expect(faultsOf({ jobs: [] })).toEqual(['no job was completed'])
  })

  it('is compared with all phases that one release served alone', () => {
    const others = [phase('all new', { kind: 'solo', jobs: [400] }), phase('mixed', { jobs: [700] })]
    expect(judge([solo, ...others], { judgesTime: true }).at(-1)?.faults).toEqual([])
  })

  it('may be slow if times are not compared', () => {
    expect(faultsOf({ jobs: [900] }, false)).toEqual([])
  })
})
