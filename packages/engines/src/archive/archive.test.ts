import { describe, expect, it } from 'vitest'
import { archives } from './archive.ts'
import { packLimits } from './limits.ts'

const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

function pack(sizes: readonly number[]) {
  const sources = sizes.map((size, n) => ({ file: `in-${n}.bin`, format: 'bin', size, filename: `${n}.bin` }))
  const plan = archives.plan({ operation: 'archive', sources, to: 'zip', options: {} })
  return plan.kind === 'failure' ? plan.code : plan.kind
}

describe('files packed into one archive, 2,000', () => {
  it.each(steps)('%s [L-pack-files]', (_, more) => {
    const sizes = Array.from({ length: packLimits.files + more }, () => 1)
    expect(pack(sizes)).toBe(more > 0 ? 'limit_exceeded' : 'plan')
  })
})

describe('bytes packed into one archive, 2 GiB', () => {
  it.each(steps)('%s [L-pack-bytes]', (_, more) => {
    expect(pack([packLimits.bytes - 1, 1 + more])).toBe(more > 0 ? 'limit_exceeded' : 'plan')
  })
})
