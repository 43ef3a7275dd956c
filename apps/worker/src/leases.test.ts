import { describe, expect, it } from 'vitest'
import { createLeases } from './leases.ts'

const fence = (taskId: string) => ({ taskId, attempt: 1, workerId: 'w' })

describe('leases', () => {
  it('stop the run of one task and leave the others alone', () => {
    const leases = createLeases()
    const [a, b] = [leases.hold(fence('a')), leases.hold(fence('b'))]
    leases.stop('a')
    expect([a.signal.aborted, b.signal.aborted]).toEqual([true, false])
    leases.stopAll()
    expect(b.signal.aborted).toBe(true)
  })

  it('can be revoked only after their claim was answered', () => {
    const leases = createLeases()
    const [a] = [leases.hold(fence('a')), leases.hold(fence('b'))]
    expect(leases.claimed).toEqual([])
    a.noteClaim()
    expect(leases.claimed).toEqual([fence('a')])
    expect(leases.fences).toEqual([fence('a'), fence('b')])
  })

  it('are forgotten when the run is over', () => {
    const leases = createLeases()
    {
      using _lease = leases.hold(fence('a'))
      expect(leases.fences).toEqual([fence('a')])
    }
    expect(leases.fences).toEqual([])
  })
})
