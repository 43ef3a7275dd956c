import { createStore } from '../lib/store.ts'

/** The steps after the first account has been created, in order. */
export const firstRunSteps = ['address', 'sample', 'key'] as const

export type FirstRunStep = (typeof firstRunSteps)[number]

const place = 'lathe.first-run'

/** The step that this tab shows; undefined outside of the first run. It survives a reload. */
export const firstRunStore = createStore<FirstRunStep | undefined>(read())

/** Shows a step, or ends the first run. */
export function showStep(step: FirstRunStep | undefined): void {
  firstRunStore.set(step)
  try {
    if (step === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, step)
  } catch {
    // Without storage, a reload ends the first run.
  }
}

/** Shows the step after the given one; after the last one, the first run ends. */
export function showStepAfter(step: FirstRunStep): void {
  showStep(firstRunSteps[firstRunSteps.indexOf(step) + 1])
}

function read(): FirstRunStep | undefined {
  try {
    return firstRunSteps.find((step) => step === sessionStorage.getItem(place))
  } catch {
    return undefined
  }
}
