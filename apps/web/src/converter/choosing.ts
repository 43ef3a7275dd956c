import { QueryObserver } from '@tanstack/react-query'
import { queries } from '../app/queries.ts'
import { createStore } from '../lib/store.ts'
import { type KnownTargets, planTargets, stagedSources } from './plan-targets.ts'
import { targetsQuery } from './queries.ts'
import { choose, converter, replaceItems } from './state.ts'

/** The targets of the formats that files in the list have or had. */
export const knownTargets = createStore<KnownTargets>(new Map())

const asked = new Set<string>()

/**
 * Gives every staged file a target once the service has answered which are possible, whether its row is on the screen or
 * not. Called once per page.
 */
export function chooseTargets(): void {
  converter.subscribe(look)
  look()
}

function look(): void {
  const state = converter.get()
  for (const source of stagedSources(state.items.values())) if (!asked.has(source)) ask(source)
  const plan = planTargets(state, knownTargets.get())
  for (const [kind, target] of plan.kinds) choose(kind, { target })
  replaceItems(plan.items.keys(), (item) => ({ ...item, target: plan.items.get(item.id) ?? '' }))
}

function ask(source: string): void {
  asked.add(source)
  // An observer, because it asks again when the browser is back online.
  const observer = new QueryObserver(queries, targetsQuery(source))
  observer.subscribe(({ data }) => take(source, data))
  take(source, observer.getCurrentResult().data)
}

function take(source: string, targets: readonly string[] | undefined): void {
  if (targets === undefined || knownTargets.get().has(source)) return
  knownTargets.update((known) => new Map([...known, [source, targets]]))
  look()
}
