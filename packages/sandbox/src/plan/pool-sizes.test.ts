import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poolSizes } from './pool-sizes.ts'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
const runners = {
  vips: { serves: 'owner', keepBytes: 256 * MiB },
  office: { serves: 'owner', keepBytes: 600 * MiB },
  browser: { serves: 'one call', keepBytes: 256 * MiB },
} as const

describe('pool sizes', () => {
  it('are one more than can be busy if there is memory', () => {
    expect(poolSizes({ engineTasks: 2, memoryBytes: 16 * GiB, runners })).toEqual({ vips: 3, office: 3, browser: 2 })
    expect(poolSizes({ engineTasks: 16, memoryBytes: 64 * GiB, runners })).toEqual({
      vips: 17,
      office: 17,
      browser: 2,
    })
  })

  it('shrink with the memory, and never to zero', () => {
    expect(poolSizes({ engineTasks: 2, memoryBytes: 4 * GiB, runners })).toEqual({ vips: 3, office: 2, browser: 0 })
    expect(poolSizes({ engineTasks: 2, memoryBytes: 2.5 * GiB, runners })).toEqual({ vips: 2, office: 1, browser: 0 })
    expect(poolSizes({ engineTasks: 8, memoryBytes: 512 * MiB, runners })).toEqual({ vips: 1, office: 1, browser: 0 })
  })

  it('fit together into half of the memory wherever more than one of each is allowed', () => {
    const room = fc.record({ engineTasks: fc.integer({ min: 1, max: 128 }), gib: fc.integer({ min: 1, max: 512 }) })
    fc.assert(
      fc.property(room, ({ engineTasks, gib }) => {
        const sizes = poolSizes({ engineTasks, memoryBytes: gib * GiB, runners })
        const names = ['vips', 'office', 'browser'] as const
        const taken = names.reduce((sum, name) => sum + (sizes[name] ?? 0) * runners[name].keepBytes, 0)
        expect(taken <= (gib * GiB) / 2 || (sizes.vips === 1 && sizes.office === 1 && sizes.browser === 0)).toBe(true)
        expect(Math.max(sizes.vips ?? 0, sizes.office ?? 0)).toBeLessThanOrEqual(engineTasks + 1)
      }),
    )
  })
})
