import { failure } from '@lathe/domain'
import { TransferFailed } from '@lathe/outbound'
import { describe, expect, it } from 'vitest'
import { createBreaks } from './breaks.ts'

const MiB = 2 ** 20
const broken = new TransferFailed(failure('source_unreachable'))
const { signal } = new AbortController()

describe('an interrupted transfer', () => {
  it('continues as long as connections make progress, but not forever', async () => {
    const breaks = createBreaks(signal)
    for (let n = 1; n <= 8; n++) await breaks.survive(broken, n * MiB)
    await expect(breaks.survive(broken, 9 * MiB)).rejects.toBe(broken)
  })

  it('fails with the third connection in a row that makes almost no progress', async () => {
    const breaks = createBreaks(signal)
    await breaks.survive(broken, MiB)
    await breaks.survive(broken, MiB + 1000)
    await breaks.survive(broken, MiB + 2000)
    await expect(breaks.survive(broken, MiB + 3000)).rejects.toBe(broken)
  })

  it('starts counting attempts again when it makes progress', async () => {
    const breaks = createBreaks(signal)
    for (const reached of [0, 0, MiB, MiB, MiB, 2 * MiB]) await breaks.survive(broken, reached)
  })

  it.each(['source_unauthorized', 'source_not_found', 'host_key_changed'] as const)(
    'fails at once for %s',
    async (code) => {
      const refused = new TransferFailed(failure(code))
      await expect(createBreaks(signal).survive(refused, MiB)).rejects.toBe(refused)
    },
  )

  it('fails at once for an internal error', async () => {
    const bug = new Error('bug')
    await expect(createBreaks(signal).survive(bug, MiB)).rejects.toBe(bug)
  })

  it('throws the reason of the abort if its task was stopped', async () => {
    const reason = new Error('stopped')
    await expect(createBreaks(AbortSignal.abort(reason)).survive(broken, MiB)).rejects.toBe(reason)
  })
})
