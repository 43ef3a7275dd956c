import type { AppName } from '@lathe/testing'
import type { Chance } from '../../chance.ts'
import type { World } from '../world.ts'

/** The kinds of faults. */
export type FaultName =
  | 'kill'
  | 'freeze'
  | 'redis-flush'
  | 'redis-freeze'
  | 'redis-restart'
  | 'postgres-restart'
  | 'postgres-black-hole'
  | 's3-outage'
  | 'full-disk'
  | 'clock-ahead'

/** One fault: its kind, its target and its duration. */
export interface Fault {
  readonly name: FaultName
  /** The target process: its app, and which of its processes. */
  readonly app: AppName
  readonly index: number
  readonly forMs: number
  /** Selects a variant of a fault, from 0 to 1. */
  readonly dice: number
}

/** Injects a fault and restarts what it ended. Returns the target when the fault is over. */
export type Inflict = (world: World, fault: Fault) => Promise<string>

/** The service that a fault needs exclusively: two faults of one incident never share one. */
export const scopeOf: Readonly<Record<FaultName, 'process' | 'redis' | 'postgres' | 's3'>> = {
  kill: 'process',
  freeze: 'process',
  'full-disk': 'process',
  'clock-ahead': 'process',
  'redis-flush': 'redis',
  'redis-freeze': 'redis',
  'redis-restart': 'redis',
  'postgres-restart': 'postgres',
  'postgres-black-hole': 'postgres',
  's3-outage': 's3',
}

export const faultNames = Object.keys(scopeOf) as readonly FaultName[]

// Minimum and maximum duration in milliseconds at full scale.
const spans: Readonly<Record<FaultName, readonly [number, number]>> = {
  kill: [0, 5_000],
  freeze: [1_000, 30_000],
  'full-disk': [2_000, 20_000],
  'clock-ahead': [5_000, 20_000],
  'redis-flush': [0, 0],
  'redis-freeze': [1_000, 15_000],
  'redis-restart': [0, 10_000],
  'postgres-restart': [0, 10_000],
  'postgres-black-hole': [1_000, 20_000],
  's3-outage': [1_000, 30_000],
}

/** Faults that happen at the same time. */
export type Incident = readonly Fault[]

/**
 * Plans `count` faults, alone and up to three at once. They are drawn from shuffled decks that contain every kind once,
 * and kill and freeze once more.
 */
export function planFaults(
  count: number,
  chance: Chance,
  { scale, names }: { scale: number; names: readonly FaultName[] },
): readonly Incident[] {
  const incidents: Incident[] = []
  let deck: FaultName[] = []
  for (let left = count; left > 0; ) {
    const size = Math.min(left, chance.pick([1, 1, 2, 2, 3]))
    const incident: Fault[] = []
    for (let n = 0; n < size; n++) {
      if (deck.length === 0) deck = [...chance.some<FaultName>([...names, 'kill', 'freeze'], names.length + 2)]
      const taken = incident.map(({ name }) => scopeOf[name])
      const at = deck.findIndex((name) => !taken.includes(scopeOf[name]))
      if (at < 0) break
      const [name] = deck.splice(at, 1)
      if (name) incident.push(toFault(name, chance, scale))
    }
    left -= incident.length
    incidents.push(incident)
  }
  return incidents
}

function toFault(name: FaultName, chance: Chance, scale: number): Fault {
  const [low, high] = spans[name]
  const app = appOf(name) ?? chance.pick<AppName>(['api', 'worker', 'worker', 'scheduler'])
  return {
    name,
    app,
    index: chance.between(0, 1),
    forMs: Math.round(chance.between(low, high) * scale),
    dice: chance.between(0, 999) / 1000,
  }
}

/** The only app that a fault can affect. */
function appOf(name: FaultName): AppName | undefined {
  if (name === 'full-disk') return 'worker'
  // Only in the scheduler does the clock decide about files and records.
  return name === 'clock-ahead' ? 'scheduler' : undefined
}
