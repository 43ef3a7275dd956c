import { setTimeout as pause } from 'node:timers/promises'
import type { AppProcess, Stack } from '@lathe/testing'
import { revive, wasEnded } from './faults/processes.ts'

/** Counters of processes over all their restarts. */
export interface ProcessWatch extends AsyncDisposable {
  /** Writes that were refused because their fence had moved. */
  readonly staleWrites: number
  /** Objects that were deleted because nothing referred to them. */
  readonly unreferenced: number
  /** Processes that ended by themselves, with their last output. */
  readonly deaths: readonly string[]
  /** How often a scheduler became the leader. */
  leaders(): number
}

const everyMs = 1_000

const watched = {
  staleWrites: { metric: 'lathe_stale_writes_total', labels: {} },
  unreferenced: { metric: 'lathe_expired_total', labels: { kind: 'unreferenced' } },
} as const
type Watched = keyof typeof watched

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
    for (const [name, { metric, labels }] of Object.entries(watched)) {
      const count = await Promise.race([process.metric(metric, labels).catch(() => undefined), limit])
      if (count !== undefined) counts.set(`${name} ${life}`, count)
    }
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

  const sumOf = (name: Watched) =>
    [...counts].reduce((sum, [key, count]) => sum + (key.startsWith(`${name} `) ? count : 0), 0)

  const watching = watch()
  return {
    deaths,
    get staleWrites() {
      return sumOf('staleWrites')
    },
    get unreferenced() {
      return sumOf('unreferenced')
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
