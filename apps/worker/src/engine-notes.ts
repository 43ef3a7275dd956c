import { setTimeout as pause } from 'node:timers/promises'
import type { Fence } from '@lathe/database'
import type { WorkerDesk } from '@lathe/orchestrator'
import type { Logger } from '@lathe/runtime'
import type { EngineClock } from './engine-clock.ts'

/**
 * Tells PostgreSQL on which tasks engines are at work, so that after this worker's death only those are suspects, and a
 * canceled task is charged for what its engine did. What is quick costs nothing: as long as nothing was told, a claimed
 * task counts as one an engine may be working on.
 */
export interface EngineNotes extends AsyncDisposable {
  watch(fence: Fence, clock: WatchedClock): NotedEngine
}

export interface NotedEngine extends Disposable {
  /** Starts the clock of an engine, after taking back what was told to the contrary. */
  start(signal: AbortSignal): Promise<void>
}

type WatchedClock = Pick<EngineClock, 'isRunning' | 'ms' | 'start'>

interface Noted {
  readonly fence: Fence
  readonly clock: WatchedClock
  reported: 'nothing' | 'works' | 'rests'
  /** Whether its engine is about to start: what was found out before is not told any more. */
  isStarting: boolean
}

const usualEveryMs = 3_000
const pauseMs = 100
// A row that somebody is moving is free again within milliseconds; later the database itself is in trouble.
const patienceMs = 10_000

export function startEngineNotes(
  desk: Pick<WorkerDesk, 'noteEngines'>,
  log: Logger,
  { everyMs = usualEveryMs } = {},
): EngineNotes {
  const watched = new Set<Noted>()
  const stopping = new AbortController()
  // Of two notes about one task the later one must count: a start waits for what is being told.
  let telling: Promise<void> = Promise.resolve()

  async function tell(changed: readonly Noted[]): Promise<void> {
    for (const [workerId, tasks] of Map.groupBy(changed, ({ fence }) => fence.workerId)) {
      const notes = tasks.map(({ fence, clock }) => ({ fence, engineMs: clock.isRunning ? clock.ms : null }))
      // Noted before the answer: whether it was written is not known if that gets lost.
      for (const [i, task] of tasks.entries()) if (notes[i]?.engineMs === null) task.reported = 'rests'
      const written = new Set(await desk.noteEngines(workerId, notes))
      for (const [i, task] of tasks.entries()) {
        if (written.has(task.fence.taskId) && notes[i]?.engineMs !== null) task.reported = 'works'
      }
    }
  }

  const hasChanged = ({ clock, reported }: Noted) => reported !== (clock.isRunning ? 'works' : 'rests')

  async function tellOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      telling = tell([...watched].filter((task) => !task.isStarting && hasChanged(task))).catch((err) =>
        log.debug({ err }, 'engines were not noted'),
      )
      await telling
    }
  }

  /** Insists that an engine is about to start. Its task may not count as one that none works on when it does. */
  async function tellStart(task: Noted, signal: AbortSignal): Promise<void> {
    const note = { fence: task.fence, engineMs: task.clock.ms }
    for (const limit = performance.now() + patienceMs; ; ) {
      signal.throwIfAborted()
      const [written] = await desk.noteEngines(task.fence.workerId, [note]).catch(() => [])
      if (written) break
      if (performance.now() > limit) throw new Error('the start of an engine could not be noted')
      await pause(pauseMs, undefined, { signal })
    }
    task.reported = 'works'
  }

  const tellingOn = tellOn()
  return {
    watch(fence, clock) {
      const task: Noted = { fence, clock, reported: 'nothing', isStarting: false }
      watched.add(task)
      return {
        async start(signal) {
          task.isStarting = true
          try {
            await telling
            if (task.reported === 'rests') await tellStart(task, signal)
            signal.throwIfAborted()
            clock.start()
          } finally {
            task.isStarting = false
          }
        },
        [Symbol.dispose]: () => void watched.delete(task),
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await tellingOn
    },
  }
}
