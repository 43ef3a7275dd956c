import { createChance } from '../chance.ts'
import { type Golden, nameOf } from './golden.ts'

export interface Selection {
  /** Comma-separated words that must all be in the name. */
  readonly only?: string | undefined
  readonly sample?: number | undefined
  readonly seed: number
}

/** The goldens of a run; a sample takes equally many from each group. */
export function selectGoldens(
  groups: Readonly<Record<string, readonly Golden[]>>,
  { only = '', sample, seed }: Selection,
): readonly Golden[] {
  const words = only.split(',').filter((word) => word !== '')
  const isFitting = (golden: Golden) => words.every((word) => nameOf(golden).includes(word))
  const fitting = Object.values(groups).map((group) => group.filter(isFitting))
  if (sample === undefined) return fitting.flat()
  const chance = createChance(seed)
  const each = Math.ceil(sample / fitting.length)
  return fitting.flatMap((group) => chance.some(group, each)).slice(0, sample)
}
