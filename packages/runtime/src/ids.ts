import { randomInt } from 'node:crypto'
import { createIdMint, type IdMint } from '@lathe/domain'
import { type Clock, systemClock } from './clock.ts'

const threeBytes = 0x1000000

/** The ID generator of this process. Its number and its first count are random. */
export function createIds(cell: number, clock: Clock = systemClock): IdMint {
  return createIdMint({
    cell,
    process: randomInt(threeBytes),
    firstCount: randomInt(threeBytes),
    now: () => clock.now(),
  })
}
