import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess, Stack } from '@lathe/testing'
import { revive, wasEnded } from './faults/processes.ts'

/** Counters of processes over all their restarts. */
export interface ProcessWatch extends AsyncDisposable {
  /** Writes that were refused because their fence had moved. */
  readonly staleWrites: number
  /** Processes that ended by themselves, with their last output. */
  readonly deaths: readonly string[]
  /** How often a scheduler became the leader. */
  leaders(): number
}

const everyMs = 1_000

/**
 * Polls the counters of every process: a kill loses at most the last second of them. Records a process that ended by
 * itself and restarts it.
 */
export function watchProcesses(stack: Stack): ProcessWatch {
  const over = new AbortController()
  const counts = new Map<string, number>()
  const deaths: string[] = []
  const lifeOf = ({ name, pid }: AppProcess) => `${name} ${pid}`

  async function ask(process: AppProcess): Promise<void> {
    const life = lifeOf(process)
    const limit = pause(everyMs, undefined, { ref: false })
    const count = await Promise.race([process.metric('lathe_stale_writes_total').catch(() => undefined), limit])
    if (count !== undefined) counts.set(life, count)
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      for (const process of stack.processes) {
        if (process.isRunning || wasEnded(process)) continue
        deaths.push(`${process.name} ended by itself: ${process.tail(12)}`)
        revive(process)
      }
      await Promise.all(stack.processes.filter(({ isRunning }) => isRunning).map(ask))
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => {})
    }
  }

  const watching = watch()
  return {
    deaths,
    get staleWrites() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    leaders() {
      const logs = stack.apps('scheduler').map((scheduler) => scheduler.log())
      return logs.reduce((sum, log) => sum + log.split('became the leader').length - 1, 0)
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await watching
    },
  }
}
