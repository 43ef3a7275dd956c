import { createChance } from '../../chance.ts'

/** What one unit of the load creates: a single task or a job. */
export type UnitKind = 'import' | 'copy' | 'chain' | 'upload' | 'conversion'

/** A creation by a client and its further actions. */
export interface Unit {
  /** The number of the unit in its round; everything about a unit follows from it and the seed. */
  readonly n: number
  readonly kind: UnitKind
  readonly tasks: number
  /** Sent with an Idempotency-Key; and sent again with it despite a response. */
  readonly keyed: boolean
  readonly repeated: boolean
  readonly end: 'cancel' | 'delete' | 'none'
  /** Whether its events are followed, and its files downloaded. */
  readonly followed: boolean
  readonly downloaded: boolean
  readonly owner: number
}

/** The number of tasks in a unit of each kind. */
export const tasksOf: Readonly<Record<UnitKind, number>> = { import: 1, copy: 2, chain: 3, upload: 2, conversion: 3 }

const conversionPercent = 2
const endPercent = 5
const repeatPercent = 5
const keyedPercent = 20
const followedPercent = 15
const downloadedPercent = 30
/** Owners that share the work without engines. */
export const sharedOwners = 8

/** A load with a number of tasks: mostly moving a few bytes, 2% conversions, 5% canceled or deleted, 5% repeated. */
export function planLoad(tasks: number, seed: number): readonly Unit[] {
  const chance = createChance(seed)
  const percent = (share: number) => chance.between(1, 1000) <= share * 10
  const units: Unit[] = []
  let planned = 0
  let conversions = 0
  while (planned < tasks) {
    // Conversions are a share of all tasks, and each comes with an import and an export.
    const isDue = conversions < Math.round(((planned + 1) * conversionPercent) / 100)
    const kind = isDue ? 'conversion' : chance.pick<UnitKind>(['import', 'import', 'copy', 'copy', 'chain', 'upload'])
    const repeated = percent(repeatPercent)
    units.push({
      n: units.length,
      kind,
      tasks: tasksOf[kind],
      // A form with an unknown URL can never be used: uploads are requested until there is a response.
      keyed: kind === 'upload' || repeated || percent(keyedPercent),
      repeated,
      end: percent(endPercent) ? chance.pick(['cancel', 'delete']) : 'none',
      followed: percent(followedPercent),
      downloaded: percent(downloadedPercent),
      // Each conversion has its own owner, so that its minutes can be told apart.
      owner: isDue ? sharedOwners + conversions : chance.between(0, sharedOwners - 1),
    })
    planned += tasksOf[kind]
    if (isDue) conversions += 1
  }
  return units
}
