import type { Suite } from './suite.ts'

interface Lanes {
  /** How many suites that mostly wait run at the same time; one that only computes runs next to them. */
  readonly waiting: number
  /** Resolves when the engine root is there. */
  readonly root: Promise<unknown>
  run(suite: Suite): Promise<void>
}

/**
 * Runs all suites: those that only compute one after another, and next to them those that mostly wait. Each lane takes
 * the first suite of its kind, but none that needs the engine root before it is there.
 */
export async function runLanes(suites: readonly Suite[], { waiting, root, run }: Lanes): Promise<void> {
  const left = new Set(suites)
  let isRootThere = false
  const rootThere = root.then(() => {
    isRootThere = true
  })
  // Reported by the lane that waits for it.
  rootThere.catch(() => {})
  const take = (isPatient: boolean): Suite | 'later' | undefined => {
    const own = [...left].filter((suite) => suite.isPatient === isPatient)
    const next = own.find(({ needsRoot }) => !needsRoot || isRootThere)
    if (next) left.delete(next)
    return next ?? (own.length > 0 ? 'later' : undefined)
  }
  const runLane = async (isPatient: boolean) => {
    for (let next = take(isPatient); next; next = take(isPatient)) {
      if (next === 'later') await rootThere
      else await run(next)
    }
  }
  await Promise.all([runLane(true), ...Array.from({ length: waiting }, () => runLane(false))])
}
