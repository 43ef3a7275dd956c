import type { Verdict } from '../ci/judge-suite.ts'

/** A run of all long suites, as it is kept on disk after each of them. */
export interface Night {
  readonly seed: string
  readonly scale: number
  readonly verdicts: Readonly<Record<string, Verdict>>
}

interface NightWords {
  readonly seed?: string | undefined
  readonly scale?: string | undefined
  readonly resume?: boolean | undefined
}

/** A new night, or the one before with what has passed in it: what failed or was cut off runs again. */
export function beginNight(words: NightWords, before: Night | undefined, today: string): Night {
  if (words.resume) {
    if (before === undefined) throw new Error('There is nothing to resume: run it without --resume')
    if (words.seed !== undefined || words.scale !== undefined) {
      throw new Error('--resume continues with the seed and the scale of before: leave out --seed and --scale')
    }
    const passed = Object.entries(before.verdicts).filter(([, { failed }]) => failed === 0)
    return { ...before, verdicts: Object.fromEntries(passed) }
  }
  const scale = Number(words.scale ?? 1)
  if (!(scale >= 0.01 && scale <= 100)) throw new Error('--scale must be from 0.01 to 100')
  const seed = words.seed ?? today
  if (!/^\d{1,9}$/.test(seed)) throw new Error(`--seed=${seed} is no whole number`)
  return { seed, scale, verdicts: {} }
}

/** The suites that are named by --only, or all; throws if one is unknown. */
export function selectNamed<Named extends { readonly name: string }>(
  all: readonly Named[],
  only: string | undefined,
): readonly Named[] {
  if (only === undefined) return all
  const names = only.split(',')
  const unknown = names.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new Error(`--only: there is no ${unknown.join(', ')}; suites are ${all.map(({ name }) => name).join(', ')}`)
  }
  return all.filter(({ name }) => names.includes(name))
}
