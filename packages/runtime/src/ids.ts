import { randomInt } from 'node:crypto'
import { createIdMint, type IdMint } from '@lathe/domain'
import { type Clock, systemClock } from './clock.ts'

const threeBytes = 0x1000000

/** The id mint of this process: its number and its first count are drawn at random. */
export function createIds(cell: number, clock: Clock = systemClock): IdMint {
  return createIdMint({
    cell,
    process: randomInt(threeBytes),
    firstCount: randomInt(threeBytes),
    now: () => clock.now(),
  })
}
