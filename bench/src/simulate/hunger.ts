/** How long owners had waiting tasks and none running. */
export interface Hunger {
  ready(ownerId: string, now: number): void
  started(ownerId: string, now: number): void
  ended(ownerId: string, now: number): void
  /** The owner's tasks are lost. */
  forget(ownerId: string): void
  /** The longest time of any owner, and which owner it is. */
  readonly worst: { readonly ownerId: string; readonly ms: number }
}

interface State {
  waiting: number
  inHand: number
  since: number
}

export function createHunger(): Hunger {
  const owners = new Map<string, State>()
  let worst = { ownerId: '', ms: 0 }

  function change(ownerId: string, now: number, waiting: number, inHand: number): void {
    const state = owners.get(ownerId) ?? { waiting: 0, inHand: 0, since: now }
    const wasHungry = state.waiting > 0 && state.inHand === 0
    state.waiting += waiting
    state.inHand += inHand
    const isHungry = state.waiting > 0 && state.inHand === 0
    if (wasHungry && now - state.since > worst.ms) worst = { ownerId, ms: now - state.since }
    if (isHungry && !wasHungry) state.since = now
    if (state.waiting === 0 && state.inHand === 0) owners.delete(ownerId)
    else owners.set(ownerId, state)
  }

  return {
    ready: (ownerId, now) => change(ownerId, now, 1, 0),
    started: (ownerId, now) => change(ownerId, now, -1, 1),
    ended: (ownerId, now) => change(ownerId, now, 0, -1),
    forget: (ownerId) => owners.delete(ownerId),
    get worst() {
      return worst
    },
  }
}
