import { afterAll, beforeAll } from 'vitest'
import { openPlanBench, type PlanBench } from './plan-bench.ts'

/** A plan bench for the tests of a file: opens before the first one and closes after the last. */
export function usePlanBench(): PlanBench {
  let opened: PlanBench | undefined
  beforeAll(async () => {
    opened = await openPlanBench()
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  const bench = () => {
    if (!opened) throw new Error('The bench opens before the first test: use it inside of tests.')
    return opened
  }
  return {
    get sandbox() {
      return bench().sandbox
    },
    run: (request) => bench().run(request),
    tool: (...call) => bench().tool(...call),
    [Symbol.asyncDispose]: () => bench()[Symbol.asyncDispose](),
  }
}
