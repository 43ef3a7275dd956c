import { describe, expect, it } from 'vitest'
import { packageLimits } from '../package/limits.ts'

const { InflatedCount } = (await import(new URL('./zip-source.mjs', import.meta.url).href)) as {
  InflatedCount: new (limits: object) => { add(packed: number, bytes: number): void }
}

const MiB = 1024 ** 2
const steps = [
  ['one below', -1],
  ['the limit', 0],
  ['one above', 1],
] as const

/** Whether a document that unpacks to this size is accepted. */
function isTaken(packed: number, unpacked: number): boolean {
  try {
    new InflatedCount(packageLimits.zip).add(packed, unpacked)
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'limit_exceeded' })
    return false
  }
}

describe('unpacked bytes of a document to compress, 2 GiB', () => {
  it.each(steps)('%s [L-package-bytes]', (_, step) => {
    expect(isTaken(1024 * MiB, 2048 * MiB + step)).toBe(step <= 0)
  })
})

describe('unpacked bytes of a document to compress for each packed one, 250', () => {
  it.each(steps)('%s [L-package-ratio]', (_, step) => {
    expect(isTaken(MiB, 250 * MiB + step)).toBe(step <= 0)
  })
})

describe('unpacked bytes of a document to compress before the ratio counts, 128 MiB', () => {
  it.each(steps)('%s [L-package-ratio-from]', (_, step) => {
    expect(isTaken(1, 128 * MiB + step)).toBe(step <= 0)
  })
})

describe('what is counted', () => {
  it('is all entries together', () => {
    const count = new InflatedCount(packageLimits.zip)
    count.add(512 * MiB, 1024 * MiB)
    count.add(512 * MiB, 1024 * MiB)
    expect(() => count.add(0, 1)).toThrow()
  })
})
