import { descendantsOf } from '@lathe/testing'
import { aloneOf } from '../parts/cpu-time.ts'

const lookEveryMs = 100

/** CPU time of everything that some processes have started, also of what has ended, up to the last look at it. */
export interface EngineWatch extends Disposable {
  readonly ms: number
}

/** Looks ten times a second: what an ended sandbox used is not told to its parent. */
export function watchEngines(workers: readonly number[]): EngineWatch {
  const seen = new Map<number, { readonly before: number; now: number }>()
  const look = (isFirst: boolean) => {
    for (const { pid } of workers.flatMap((worker) => descendantsOf(worker))) {
      const now = aloneOf(pid)()
      const known = seen.get(pid)
      if (known) known.now = Math.max(known.now, now)
      else seen.set(pid, { before: isFirst ? now : 0, now })
    }
  }
  look(true)
  const timer = setInterval(look, lookEveryMs, false)
  return {
    get ms() {
      look(false)
      return [...seen.values()].reduce((sum, { before, now }) => sum + now - before, 0)
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
