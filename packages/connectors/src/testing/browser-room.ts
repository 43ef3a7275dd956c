import { openRunner } from '@lathe/sandbox'
import { openPlanBench } from '@lathe/testing'
import type { BrowserRoom } from '../webpage/browser-room.ts'

/** A real browser in the real sandbox, one page at a time. `visits` counts its calls. */
export async function openBrowserRoom(): Promise<BrowserRoom & AsyncDisposable & { readonly visits: () => number }> {
  await using stack = new AsyncDisposableStack()
  const { sandbox } = stack.use(await openPlanBench())
  const pool = stack.use(await openRunner(sandbox, 'browser', { engineTasks: 1, warmCalls: 1 }))
  let visits = 0
  const all = stack.move()
  return {
    createJobFolder: sandbox.createJobFolder,
    openOutput: sandbox.openOutput,
    call: (...given) => {
      visits += 1
      return pool.call(...given)
    },
    takePermit: async () => ({ [Symbol.dispose]() {} }),
    visits: () => visits,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
