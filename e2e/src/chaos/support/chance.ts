import { type Chance, createChance as createSeeded } from '../../chance.ts'

export type { Chance } from '../../chance.ts'

/** Random in each run and printed, so that a failed run can be repeated. */
export const seed = Number(process.env.LATHE_CHAOS_SEED ?? Date.now() % 2 ** 31)

const scale = Number(process.env.LATHE_CHAOS_SCALE ?? 1)

/** A size of the test, scaled as the run requests. */
export function scaled(size: number): number {
  return Math.max(1, Math.round(size * scale))
}

/** Random numbers for one test: the same for the same seed and name. Prints the seed. */
export function createChance(name: string): Chance {
  console.log(`${name}: LATHE_CHAOS_SEED=${seed}`)
  return createSeeded([...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193), seed | 0))
}
