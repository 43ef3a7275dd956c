import type { EngineFamily } from '@lathe/domain'
import { mayTakeSteps } from '@lathe/operations'
import type { Ability, Engine } from '../engine.ts'

/** One step of a route: a direct conversion of an engine. */
export interface RouteStep {
  readonly engine: Engine
  readonly ability: Ability
}

/** A conversion in several steps, for formats that no engine converts directly. */
export interface Route {
  readonly steps: readonly RouteStep[]
  /** The share of the words, pages and structure of real files that was found in the result: 0 to 1. */
  readonly fidelity: number
  /** The median time for these files, in milliseconds. */
  readonly ms: number
}

/** The formats from first to last, and the measured fidelity and milliseconds. */
export type MeasuredRoute = readonly [formats: string, fidelity: number, ms: number]

/** No route is longer: each step loses something and takes time. */
export const maxRouteSteps = 3

/** Indexes the direct conversions of engines. If several engines offer the same conversion, the first is used. */
export function indexSteps(engines: readonly Engine[]): (from: string, to: string) => RouteStep | undefined {
  const byPair = new Map<string, RouteStep>()
  for (const engine of engines) {
    for (const ability of engine.abilities) {
      const key = keyOfPair(ability.from, ability.to)
      if (mayTakeSteps(ability.operation) && !byPair.has(key)) byPair.set(key, { engine, ability })
    }
  }
  return (from, to) => byPair.get(keyOfPair(from, to))
}

export const keyOfPair = (from: string, to: string) => `${from} ${to}`

/** Engine families that share one image: a worker that serves one of them can run the engines of all. */
const together: readonly (readonly EngineFamily[])[] = [
  ['image', 'av'],
  ['office', 'pdf', 'ocr'],
]

/** The family whose workers have the engines of all steps. */
export function familyOfRoute(steps: readonly RouteStep[]): EngineFamily {
  const families = steps.map(({ engine, ability }) => ability.family ?? engine.family)
  const [first = 'route'] = families
  const group = together.find((one) => one.includes(first)) ?? [first]
  return families.every((family) => group.includes(family)) ? first : 'route'
}
