import { setTimeout as pause } from 'node:timers/promises'
import type { Fence } from '@lathe/database'
import type { WorkerDesk } from '@lathe/orchestrator'
import type { Logger } from '@lathe/runtime'
import type { EngineClock } from './engine-clock.ts'

/**
 * Notes in PostgreSQL on which tasks engines are working. If this worker dies, only those tasks are suspects, and a
 * canceled task is charged for the work of its engine. Quick tasks cost nothing: without a note, a claimed task counts
 * as one that an engine may be working on.
 */
export interface EngineNotes extends AsyncDisposable {
  watch(fence: Fence, clock: WatchedClock): NotedEngine
}

export interface NotedEngine extends Disposable {
  /** Starts the clock of an engine, after correcting a note that no engine works on the task. */
  start(signal: AbortSignal): Promise<void>
}

type WatchedClock = Pick<EngineClock, 'isRunning' | 'ms' | 'start'>

interface Noted {
  readonly fence: Fence
  readonly clock: WatchedClock
  reported: 'nothing' | 'works' | 'rests'
  /** Whether its engine is about to start: observations from before are no longer reported. */
  isStarting: boolean
}

const usualEveryMs = 3_000
const pauseMs = 100
// A row that is being moved is free again within milliseconds. After this time the database itself is in trouble.
const patienceMs = 10_000

export function startEngineNotes(
  desk: Pick<WorkerDesk, 'noteEngines'>,
  log: Logger,
  { everyMs = usualEveryMs } = {},
): EngineNotes {
  const watched = new Set<Noted>()
  const stopping = new AbortController()
  // The later of two notes about one task must win: a start waits for the notes that are being written.
  let writing: Promise<void> = Promise.resolve()

  async function tell(changed: readonly Noted[]): Promise<void> {
    for (const [workerId, tasks] of Map.groupBy(changed, ({ fence }) => fence.workerId)) {
      const notes = tasks.map(({ fence, clock }) => ({ fence, engineMs: clock.isRunning ? clock.ms : null }))
      // Set before the answer: if the answer is lost, it is unknown whether the note was written.
      for (const [i, task] of tasks.entries()) if (notes[i]?.engineMs === null) task.reported = 'rests'
      const written = new Set(await desk.noteEngines(workerId, notes))
      for (const [i, task] of tasks.entries()) {
        if (written.has(task.fence.taskId) && notes[i]?.engineMs !== null) task.reported = 'works'
      }
    }
  }

  const hasChanged = ({ clock, reported }: Noted) => reported !== (clock.isRunning ? 'works' : 'rests')

  async function keepReporting(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      writing = tell([...watched].filter((task) => !task.isStarting && hasChanged(task))).catch((err) =>
        log.debug({ err }, 'engine versions not stored'),
      )
      await writing
    }
  }

  /** Notes that an engine is about to start, until it succeeds: its task must not count as one without an engine. */
  async function reportStart(task: Noted, signal: AbortSignal): Promise<void> {
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

  const reporting = keepReporting()
  return {
    watch(fence, clock) {
      const task: Noted = { fence, clock, reported: 'nothing', isStarting: false }
      watched.add(task)
      return {
        async start(signal) {
          task.isStarting = true
          try {
            await writing
            if (task.reported === 'rests') await reportStart(task, signal)
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
      await reporting
    },
  }
}
