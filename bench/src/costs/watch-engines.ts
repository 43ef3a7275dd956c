import { descendantsOf } from '@lathe/testing'
import { aloneOf } from '../parts/cpu-time.ts'

const lookEveryMs = 100

/** CPU time of all descendants of some processes, including ended ones up to the last poll. */
export interface EngineWatch extends Disposable {
  readonly ms: number
}

/** Polls ten times per second: the CPU time of an ended sandbox is not reported to its parent. */
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
