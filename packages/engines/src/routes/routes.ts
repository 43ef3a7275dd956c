import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import type { Ability, Engine } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { chainPlans } from './chain-plans.ts'
import { familyOfRoute, indexSteps, keyOfPair, type MeasuredRoute, type Route, type RouteStep } from './route.ts'

/** Options for reading the file, which only the first step gets. */
const reading: ReadonlySet<string> = new Set(['password', 'sheet', 'dialect', 'strict', 'separator', 'encoding'])

/** Those of them that also control how a plain text is written. Between the steps we choose them. */
const writing: ReadonlySet<string> = new Set(['separator', 'encoding'])
const plainTexts: ReadonlySet<string> = new Set(['csv', 'tsv', 'txt'])

/** An engine that converts in several steps with other engines, where none of them converts directly. */
export interface RouteEngine extends Engine {
  /** The route of a pair; undefined if it has a direct conversion or no route is known. */
  find(from: string, to: string): Route | undefined
}

/** Offers the measured routes, without those whose steps no longer exist or whose conversion is now direct. */
export function createRoutes(engines: readonly Engine[], measured: readonly MeasuredRoute[]): RouteEngine {
  const findStep = indexSteps(engines)
  const sets = new Map<string, readonly OptionDescriptor[]>()
  const byPair = new Map<string, Route>()
  const abilities = measured.flatMap((row): readonly Ability[] => {
    const route = readRoute(findStep, row)
    const first = route?.steps[0]?.ability
    const last = route?.steps.at(-1)?.ability
    if (!route || !first || !last || findStep(first.from, last.to)) return []
    byPair.set(keyOfPair(first.from, last.to), route)
    const options = optionsOf(first, last)
    // Pairs with equal options share one list, as in other engines.
    const key = JSON.stringify(options)
    const shared = sets.get(key) ?? options
    sets.set(key, shared)
    return [
      { operation: 'convert', from: first.from, to: last.to, options: shared, family: familyOfRoute(route.steps) },
    ]
  })

  return {
    id: 'routes',
    family: 'route',
    tools: [],
    cost: { startS: 3, perMiBS: 5 },
    abilities,
    find: (from, to) => byPair.get(keyOfPair(from, to)),

    plan(request) {
      const checked = checkOneSource(abilities, request)
      if (isFailure(checked)) return checked
      const { source, effective, warnings } = checked
      const route = byPair.get(keyOfPair(source.format, request.to))
      if (!route) throw new Error(`there is no route from ${source.format} to ${request.to}`)
      const legs = route.steps.map((step, n) => ({ step, options: pick(effective as GivenOptions, route, n) }))
      const plan = chainPlans(source, legs)
      return isFailure(plan) ? plan : { ...plan, warnings: [describeRoute(route), ...warnings, ...plan.warnings] }
    },
  }
}

function readRoute(
  findStep: (from: string, to: string) => RouteStep | undefined,
  [line, fidelity, ms]: MeasuredRoute,
): Route | undefined {
  const formats = line.split(' ')
  const steps = formats.slice(1).map((to, n) => findStep(formats[n] ?? '', to))
  const found = steps.filter((step) => step !== undefined)
  return found.length === steps.length ? { steps: found, fidelity, ms } : undefined
}

/** Options that affect the result belong to the last step; options for reading the file belong to the first. */
function optionsOf(first: Ability, last: Ability): readonly OptionDescriptor[] {
  const own = last.options.filter(({ name }) => isOfLast(name, last))
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...first.options.filter(({ name }) => isOfFirst(name, first) && !names.has(name))]
}

function isOfLast(name: string, { to }: Ability): boolean {
  return name !== 'password' && name !== 'ocr' && (!writing.has(name) || plainTexts.has(to))
}

function isOfFirst(name: string, { from }: Ability): boolean {
  return reading.has(name) && (!writing.has(name) || plainTexts.has(from))
}

/** The options that a step gets. Every step gets `strict`; any other option belongs to one step. */
function pick(options: GivenOptions, { steps }: Route, n: number): GivenOptions {
  const [step, last] = [steps[n]?.ability, steps.at(-1)?.ability]
  if (!step || !last) return {}
  const belongsToLast = (name: string) => isOfLast(name, last) && last.options.some((option) => option.name === name)
  const isOwn = (name: string) =>
    name === 'strict' || (belongsToLast(name) ? step === last : n === 0 && isOfFirst(name, step))
  const known = new Set(step.options.map(({ name }) => name))
  return Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name) && isOwn(name)))
}

/** The formats of a route, first to last. */
export function formatsOfRoute({ steps }: Route): readonly string[] {
  return [steps[0]?.ability.from ?? '', ...steps.map(({ ability }) => ability.to)]
}

function describeRoute(route: Route): string {
  const formats = formatsOfRoute(route)
  const [from, to] = [formats[0], formats.at(-1)]
  return `No engine converts ${from} to ${to} directly. It was done in ${route.steps.length} steps, ${formats.join(' to ')}, and each may lose something.`
}
