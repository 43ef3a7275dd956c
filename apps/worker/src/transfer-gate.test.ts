import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTransferGate, type TransferSlot, transferLimits } from './transfer-gate.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const KiB = 1024
const minute = 60_000

/** Reads a source that sends a chunk of `rate` bytes every second, until the transfer is ended. */
function receive(slot: TransferSlot | undefined, rate: number): void {
  if (!slot) throw new Error('there was no slot')
  async function* source() {
    while (!slot?.signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      yield Buffer.alloc(rate)
    }
  }
  void (async () => {
    for await (const _ of slot.pace.receive(source()));
  })()
}

/** A gate whose slots are all taken by sources of 2 KB/s. */
async function slowGate(atOnce: number, owners: number) {
  const gate = createTransferGate(transferLimits(atOnce))
  const slots: TransferSlot[] = []
  for (let n = 0; n < atOnce; n += 1) {
    const slot = await gate.enter(0, `hostile${n % owners}`)
    if (!slot) throw new Error('there was no slot')
    receive(slot, 2000)
    slots.push(slot)
  }
  return { gate, slots }
}

describe('imports and exports', () => {
  it('S2: of an owner without a slot start while slow ones take all slots', async () => {
    const { gate } = await slowGate(16, 3)
    expect(await gate.enter(0, 'hostile1')).toBeUndefined()
    expect(await gate.enter(0, 'bob')).toBeDefined()
  })

  it('S2: of many owners are ended, the slowest first, when others wait', async () => {
    const { gate, slots } = await slowGate(4, 4)
    const more = await Promise.all(['e', 'f', 'g', 'h'].map((owner) => gate.enter(0, owner)))
    for (const slot of more) receive(slot, 200 * KiB)
    expect(await gate.enter(0, 'bob')).toBeUndefined()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(slots.map(({ endedBy }) => endedBy)).toEqual([undefined, undefined, undefined, undefined])
    expect(await gate.enter(0, 'bob')).toBeUndefined()
    const ended = slots.filter(({ endedBy }) => endedBy === 'gave_way')
    expect(ended).toHaveLength(1)
    ended[0]?.[Symbol.dispose]()
    expect(await gate.enter(0, 'bob')).toBeDefined()
  })

  it.each([
    ['2 KB/s', 2000, 'too_slow'],
    ['32 KiB/s', 32 * KiB, 'too_slow'],
    ['64 KiB/s', 64 * KiB, undefined],
  ])('S2: at %s end, or do not, although nobody waits [L-transfer-rate]', async (_, rate, end) => {
    const gate = createTransferGate(transferLimits(1))
    const slot = await gate.enter(0, 'alice')
    receive(slot, rate)
    await vi.advanceTimersByTimeAsync(9 * minute)
    expect(slot?.endedBy).toBeUndefined()
    await vi.advanceTimersByTimeAsync((rate < 10_000 ? 2 : 16) * minute)
    expect(slot?.endedBy).toBe(end)
  })

  it('S2: do not end because of our own storage [L-transfer-rate]', async () => {
    const gate = createTransferGate(transferLimits(1))
    const [slow, stuck] = [await gate.enter(0, 'alice'), await gate.enter(0, 'bob')]
    async function* quick() {
      yield Buffer.alloc(1)
      yield Buffer.alloc(1)
    }
    // The storage takes the first chunk and asks for no other.
    await slow?.pace.receive(quick()).next()
    void stuck?.pace.during(() => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(30 * minute)
    expect([slow?.endedBy, stuck?.endedBy]).toEqual([undefined, undefined])
  })

  it('S2: end when a target takes the bytes too slowly [L-transfer-rate]', async () => {
    const gate = createTransferGate(transferLimits(1))
    const slot = await gate.enter(0, 'alice')
    async function* content() {
      for (;;) yield Buffer.alloc(1000)
    }
    const bytes = slot?.pace.send(content())
    await bytes?.next()
    await vi.advanceTimersByTimeAsync(11 * minute)
    expect(slot?.endedBy).toBe('too_slow')
  })
})
