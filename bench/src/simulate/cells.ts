import { type Chance, createChance } from '@lathe/testing'
import { type Cell, type CellSize, createCell } from './cell.ts'
import { createHunger } from './hunger.ts'
import { cellOf } from './route.ts'
import { createVirtualClock } from './virtual-clock.ts'
import { createWaitTimes, type WaitTimes } from './wait-times.ts'
import { createConversion, type Group, groups, type KindName, meanEngineMs, pickKind } from './work.ts'

export interface CellsPlan {
  readonly seed: number
  readonly hours: number
  readonly cells: number
  /** Tasks per second of all cells together, averaged over the day. */
  readonly tasksPerS: number
  /** Divides load and workers, but not owners and their limits. */
  readonly scale: number
  readonly owners: number
  /** When a cell is lost, for how long, and how long until its owners are routed to other cells. */
  readonly lostAtH: number
  readonly lostForH: number
  readonly failoverS: number
}

export interface CellsReport {
  readonly accepted: number
  readonly completed: number
  /** Unfinished conversions in the lost cell. */
  readonly lost: number
  /** Requests between the loss of the cell and the change of the routes. */
  readonly refused: number
  readonly open: number
  /** Waits of all owners except the loud ones: over the day, and in the remaining cells while one is lost. */
  readonly waits: Readonly<Record<WaitClass, WaitTimes>>
  readonly waitsWhileLost: Readonly<Record<WaitClass, WaitTimes>>
  readonly hunger: { readonly ownerId: string; readonly ms: number }
  /** Share of the engine time that was used. */
  readonly busy: Readonly<Record<Group, number>>
  readonly enginesPerCell: Readonly<Record<Group, number>>
}

export const waitClasses = ['transfer', 'quick', 'long'] as const
export type WaitClass = (typeof waitClasses)[number]

const lostCell = 3
const hourMs = 3_600_000
const tasksPerConversion = 3
// Load varies by this share over the day.
const swing = 0.4
// The default of a worker with four cores.
const enginesPerWorker = 4
// The number of engines is chosen for the peak, at this utilization.
const busyAtPeak = 0.6
const slotsPerOwner = 10
// Each cell has two owners that queue as much as they may at once, several times a day: also shortly before the cell is
// lost, so that much is in flight, and while it is lost, so that the other cells have more to do.
const loudAtH = ({ lostAtH }: CellsPlan) => [3, 9, lostAtH - 0.02, lostAtH + 0.5, 17, 21]
const loudWork = { office: 1_000, video: 60 } as const satisfies Partial<Record<KindName, number>>

/** A day of many cells on a virtual clock, using the service's own rules for slots, queues and engines. */
export function simulateCells(plan: CellsPlan): CellsReport {
  const clock = createVirtualClock()
  const chance = createChance(plan.seed)
  const size = sizeOf(plan)
  const names = Array.from({ length: plan.cells }, (_, index) => index)
  const hunger = createHunger()
  const waits = createClasses()
  const waitsWhileLost = createClasses()
  const counts = { accepted: 0, completed: 0, lost: 0, refused: 0 }
  const others = names.filter((name) => name !== lostCell)
  const homes = createRoutes(names)
  const detours = createRoutes(others)
  const usedMs: Record<Group, number> = { av: 0, rest: 0 }
  let isLost = false
  let isRerouted = false

  const newCell = () =>
    createCell(clock, size, {
      ready: (ownerId) => hunger.ready(ownerId, clock.now),
      started(ownerId, what, waitedMs) {
        hunger.started(ownerId, clock.now)
        if (isLoud(ownerId)) return
        waits[what].add(waitedMs)
        if (isLost) waitsWhileLost[what].add(waitedMs)
      },
      ended: (ownerId) => hunger.ended(ownerId, clock.now),
      completed: () => {
        counts.completed += 1
      },
    })
  const cells: Cell[] = names.map(newCell)

  function submit(ownerId: string, kind: KindName): void {
    const home = homes(ownerId)
    if (isLost && home === lostCell && !isRerouted) {
      counts.refused += 1
      return
    }
    counts.accepted += 1
    const target = isRerouted && home === lostCell ? detours(ownerId) : home
    cells[target]?.accept(ownerId, createConversion(kind, chance))
  }

  function lose(): void {
    const { open, owners } = (cells[lostCell] as Cell).lose()
    counts.lost += open
    for (const group of groups) usedMs[group] += cells[lostCell]?.usedMs(group) ?? 0
    for (const ownerId of owners) hunger.forget(ownerId)
    isLost = true
    clock.at(clock.now + plan.failoverS * 1000, () => {
      isRerouted = true
    })
    // The cell comes back empty: its lost conversions are not waited for.
    clock.at(clock.now + plan.lostForH * hourMs, () => {
      cells[lostCell] = newCell()
      isLost = false
      isRerouted = false
    })
  }

  announceArrivals({ clock, chance, plan, submit })
  announceLoud({ clock, plan, names, submit })
  clock.at(plan.lostAtH * hourMs, lose)
  clock.run()

  for (const cell of cells) for (const group of groups) usedMs[group] += cell.usedMs(group)
  const enginesPerCell = { av: enginesOf(size.workers.av), rest: enginesOf(size.workers.rest) }
  const busyOf = (group: Group) => usedMs[group] / (plan.cells * enginesPerCell[group] * plan.hours * hourMs)
  return {
    ...counts,
    open: cells.reduce((sum, { open }) => sum + open, 0),
    waits,
    waitsWhileLost,
    hunger: hunger.worst,
    busy: { av: busyOf('av'), rest: busyOf('rest') },
    enginesPerCell,
  }
}

/** Caches the cell of each owner. */
function createRoutes(cells: readonly number[]): (ownerId: string) => number {
  const known = new Map<string, number>()
  return (ownerId) => {
    const cell = known.get(ownerId) ?? cellOf(ownerId, cells)
    known.set(ownerId, cell)
    return cell
  }
}

const createClasses = () => ({ transfer: createWaitTimes(), quick: createWaitTimes(), long: createWaitTimes() })

const isLoud = (ownerId: string) => ownerId.startsWith('loud')

const conversionsPerS = ({ tasksPerS, scale }: CellsPlan) => tasksPerS / tasksPerConversion / scale

/** The workers of a cell for the peak of its share of the load. */
function sizeOf(plan: CellsPlan): CellSize {
  const peak = (conversionsPerS(plan) / plan.cells) * (1 + swing)
  const workersFor = (group: Group) => {
    const needed = Math.ceil((peak * meanEngineMs(group)) / 1000 / busyAtPeak)
    // With a single engine, quick tasks would wait behind long ones, which does not happen on a worker of this size.
    const engines = Math.min(enginesPerWorker, Math.max(2, needed))
    const longMost = engines - Math.ceil(engines / 4)
    return { count: Math.ceil(needed / engines), engines: { engines, longMost, most: 4 * engines } }
  }
  const workers = { av: workersFor('av'), rest: workersFor('rest') }
  return { slots: slotsPerOwner, workers, transfers: 8 * (enginesOf(workers.av) + enginesOf(workers.rest)) }
}

const enginesOf = ({ count, engines: { engines } }: CellSize['workers'][Group]) => count * engines

interface Arrivals {
  readonly clock: ReturnType<typeof createVirtualClock>
  readonly chance: Chance
  readonly plan: CellsPlan
  submit(ownerId: string, kind: KindName): void
}

/** Random requests: more by day than by night, most of them from few owners. */
function announceArrivals({ clock, chance, plan, submit }: Arrivals): void {
  const most = (conversionsPerS(plan) / 1000) * (1 + swing)
  const end = plan.hours * hourMs
  const pickOwner = createOwnerPick(plan.owners, chance)
  const rateAt = (ms: number) => (1 + swing * Math.sin((2 * Math.PI * (ms / hourMs - 6)) / 24)) / (1 + swing)
  const next = () => {
    clock.at(clock.now - Math.log(1 - chance.fraction()) / most, () => {
      if (clock.now >= end) return
      if (chance.fraction() < rateAt(clock.now)) submit(`o${pickOwner()}`, pickKind(chance))
      next()
    })
  }
  next()
}

/** Owner number n has a share of about 1/n. */
function createOwnerPick(count: number, chance: Chance): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let n = 0; n < count; n += 1) {
    sum += 1 / (n + 10)
    sums[n] = sum
  }
  return () => {
    const wanted = chance.fraction() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

function announceLoud({
  clock,
  plan,
  names,
  submit,
}: Omit<Arrivals, 'chance'> & { readonly names: readonly number[] }): void {
  for (const [kind, count] of Object.entries(loudWork) as [KindName, number][]) {
    for (const cell of names) {
      const ownerId = loudOwnerOf(cell, kind, names)
      for (const hour of loudAtH(plan).filter((one) => one < plan.hours)) {
        clock.at(hour * hourMs, () => {
          for (let n = 0; n < count; n += 1) submit(ownerId, kind)
        })
      }
    }
  }
}

/** A name that is routed to this cell. */
function loudOwnerOf(cell: number, kind: KindName, names: readonly number[]): string {
  for (let n = 0; ; n += 1) {
    const ownerId = `loud-${kind}-${n}`
    if (cellOf(ownerId, names) === cell) return ownerId
  }
}
