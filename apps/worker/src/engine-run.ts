import type { CallStep, ProcessStep } from '@lathe/engines'
import type { Claim } from '@lathe/orchestrator'
import { noSpan, type Span } from '@lathe/runtime'
import { createEngineClock, type EngineClock } from './engine-clock.ts'
import type { EngineNotes } from './engine-notes.ts'
import type { EnginePermits, Need } from './engine-permits.ts'
import type { EngineSlot } from './engine-slots.ts'
import { GiveBack } from './give-back.ts'

/** The engines' part of one attempt: when they may run, and how long they ran. */
export interface EngineRun extends Disposable {
  readonly clock: EngineClock
  /** Milliseconds it has waited for free engines. */
  readonly waitedMs: number
  /**
   * Waits until the engine of a step may run, with all the resources it may use. The owner's minutes count only from
   * then on. `since`: when the step began to wait for a runner, if it did.
   */
  takePermit(signal: AbortSignal, step: PermitStep, since?: number): Promise<Disposable>
  /** Whether its engines give way to others on the cores: it is a long task, or not its owner's only one. */
  readonly givesWay: boolean
  /** Marks the task as long. Throws `GiveBack` if no more long tasks may run here now. */
  expectLong(): void
  /**
   * What happens to a task whose engine host was lost: another attempt; another attempt with no other engine running,
   * if an engine worked on it; or a failure of the task, if it already ran alone.
   */
  afterHostLoss(): 'again' | 'alone' | 'crashed'
  /** No more engines are needed: another task may use the engine while this one stores its files. */
  end(): void
}

/** The parts of a step that its permit depends on, and its name in traces. */
type PermitStep = Pick<CallStep, 'kind' | 'limits' | 'runner'> | Pick<ProcessStep, 'kind' | 'limits' | 'program'>

interface EngineRunParts {
  readonly claim: Pick<Claim, 'fence' | 'allowance' | 'inputs' | 'standing'>
  readonly rank?: number | undefined
  readonly signal: AbortSignal
  readonly slot: EngineSlot | undefined
  readonly permits: EnginePermits
  readonly notes: Pick<EngineNotes, 'watch'>
  readonly span?: Span
}

// A task is claimed a moment before an engine is free for it. If the wait exceeds the time of a quick task, another
// worker may have a free engine.
const longestWaitMs = 2_000
// Each requeue counts as a start. After this many the task waits, or it would reach the limit of starts.
const mostReturns = 3

const MiB = 1024 ** 2

// Memory: the step's limit. Disk: what conversions usually use, since the limits are many times higher.
function needOf({ limits }: PermitStep, inputBytes: number): Need {
  const { memoryBytes, outputBytes } = limits
  return { memoryBytes, diskBytes: Math.min(outputBytes, 64 * MiB + 3 * inputBytes) }
}

export function createEngineRun({
  claim,
  rank = 1,
  signal: outside,
  slot,
  permits,
  notes,
  span = noSpan,
}: EngineRunParts): EngineRun {
  const inputBytes = claim.inputs.flatMap(({ files }) => files).reduce((sum, { size }) => sum + size, 0)
  const { ownerId } = claim.standing
  const clock = createEngineClock(claim.allowance, outside)
  const noted = slot && notes.watch(claim.fence, clock)
  // A suspect task has all engines to itself until its last step is done.
  let alone: Disposable | undefined
  let waitedMs = 0

  async function take(signal: AbortSignal, need: Need): Promise<Disposable> {
    if (slot?.lane === 'quick' && clock.ms === 0 && claim.fence.attempt <= mostReturns) return takeSoon(signal, need)
    if (slot?.lane !== 'alone') return permits.take(signal, { need, ownerId })
    alone ??= await permits.takeAlone(signal)
    return { [Symbol.dispose]() {} }
  }

  async function takeSoon(signal: AbortSignal, need: Need): Promise<Disposable> {
    const soon = AbortSignal.timeout(longestWaitMs)
    try {
      return await permits.take(AbortSignal.any([signal, soon]), { need, ownerId })
    } catch (error) {
      if (signal.aborted || !soon.aborted) throw error
      throw new GiveBack('no_engine')
    }
  }

  function end(): void {
    alone?.[Symbol.dispose]()
    slot?.endEngine()
  }

  return {
    clock,
    get waitedMs() {
      return waitedMs
    },
    get givesWay() {
      return slot?.lane === 'long' || rank > 1
    },
    expectLong() {
      if (slot && !slot.toLong()) throw new GiveBack('long', { lane: 'long' })
    },
    async takePermit(signal, step, since = performance.now()) {
      const permit = await take(signal, needOf(step, inputBytes))
      waitedMs += performance.now() - since
      try {
        if (noted) await noted.start(signal)
        else clock.start()
      } catch (error) {
        permit[Symbol.dispose]()
        throw error
      }
      const part = span.child('engine', { 'lathe.engine': step.kind === 'call' ? step.runner : step.program })
      return {
        [Symbol.dispose]() {
          clock.stop()
          part.end()
          permit[Symbol.dispose]()
        },
      }
    },
    afterHostLoss() {
      if (!slot || clock.ms === 0) return 'again'
      return slot.lane === 'alone' ? 'crashed' : 'alone'
    },
    end,
    [Symbol.dispose]() {
      clock[Symbol.dispose]()
      noted?.[Symbol.dispose]()
      end()
    },
  }
}
