import { type Failure, failure } from '@lathe/domain'
import { maxRounds, type Plan, type Step } from '../engine.ts'
import { type Aim, isMet, middle, nextKbps, type Try } from './aim.ts'
import type { MediaJob } from './job.ts'

/** A method to reach a target size: each try writes one file at a bit rate. */
export interface Attempt {
  readonly aim: Aim
  /** Bytes that do not depend on the rate: other streams, headers. */
  readonly fixedBytes: number
  readonly firstKbps: number
  readonly leastKbps: number
  /** The steps of a try. The first try of an attempt may need an analysis pass. */
  steps(kbps: number, n: number, isFirst: boolean): readonly Step[]
  file(n: number): string
  /** An attempt with less to encode, for when the rate cannot be lowered further. */
  smaller?(): Attempt | undefined
  /**
   * An attempt that starts at this rate and gives more bytes to other streams, for when the rate no longer has an
   * effect.
   */
  larger?(bytes: number, kbps: number): Attempt | undefined
}

// Leaves rounds for the probe and for a last plan without steps that names the result.
const mostTries = maxRounds - 4

/** Tries until the target is met. The result is the largest file that does not exceed the target. */
export function planTarget(job: MediaJob, attempt: Attempt): Plan | Failure {
  return begin(job, attempt, { n: 0, closest: undefined })
}

interface Made {
  readonly file: string
  readonly kbps: number
  readonly bytes: number
}

interface State {
  /** Number of tries so far, over all attempts. */
  readonly n: number
  readonly kbps: number
  /** The tries of this attempt only. */
  readonly tries: readonly Try[]
  /** The best file so far, over all attempts. */
  readonly closest: Made | undefined
}

function begin(job: MediaJob, attempt: Attempt, { n, closest }: Pick<State, 'n' | 'closest'>): Plan {
  return planTry(job, attempt, { n, kbps: Math.max(attempt.firstKbps, attempt.leastKbps), tries: [], closest })
}

function planTry(job: MediaJob, attempt: Attempt, state: State): Plan {
  const kbps = Math.round(state.kbps * 10) / 10
  const file = attempt.file(state.n)
  return {
    kind: 'plan',
    steps: attempt.steps(kbps, state.n, state.tries.length === 0),
    outputs: [output(job, file)],
    warnings: state.n === 0 ? job.warnings : [],
    next: ({ sizes }) => {
      // An empty file means that the encoder refused such a low rate.
      const bytes = sizes[file] || Number.POSITIVE_INFINITY
      const tries = [...state.tries, { kbps, bytes }]
      const closest = closer(attempt.aim, state.closest, { file, kbps, bytes })
      return decide(job, attempt, { n: state.n + 1, kbps, tries, closest })
    },
  }
}

function decide(job: MediaJob, attempt: Attempt, state: State): Plan | Failure {
  const { aim } = attempt
  const { tries, closest, n } = state
  if (closest && isMet(aim, closest.bytes)) return done(job, closest.file)
  const kbps = Math.max(nextKbps(aim, tries, attempt.fixedBytes), attempt.leastKbps)
  const isLast = n >= mostTries
  if (!isLast && !isStuck(tries, kbps)) return planTry(job, attempt, { ...state, kbps })
  const other = isLast ? undefined : otherWay(attempt, closest)
  if (other) return begin(job, other, state)
  return closest ? done(job, closest.file) : cannot(aim, tries)
}

function otherWay(attempt: Attempt, closest: Made | undefined): Attempt | undefined {
  return closest ? attempt.larger?.(middle(attempt.aim) - closest.bytes, closest.kbps) : attempt.smaller?.()
}

// The encoder refused the rate, a similar rate was already tried (some encoders jump from one size to another), or a
// higher rate did not make the file larger because there is nothing more to encode.
function isStuck(tries: readonly Try[], kbps: number): boolean {
  const [before, last] = tries.slice(-2)
  if (tries.at(-1)?.bytes === Number.POSITIVE_INFINITY) return true
  if (tries.some((one) => Math.abs(one.kbps - kbps) < Math.max(0.1, kbps * 0.005))) return true
  return before !== undefined && last !== undefined && last.kbps > before.kbps * 1.2 && last.bytes < before.bytes * 1.02
}

function closer({ bytes }: Aim, known: Made | undefined, made: Made): Made | undefined {
  return made.bytes <= bytes && made.bytes > (known?.bytes ?? 0) ? made : known
}

function done(job: MediaJob, file: string): Plan {
  return { kind: 'plan', steps: [], outputs: [output(job, file)], warnings: [] }
}

function output({ source, to }: MediaJob, file: string): Plan['outputs'][number] {
  return { file, format: to, source: 0, unlessSmallerThan: source.file }
}

function cannot({ bytes }: Aim, tries: readonly Try[]): Failure {
  const least = Math.min(...tries.map((one) => one.bytes))
  const reached = Number.isFinite(least) ? ` ${least} is the least that was reached.` : ''
  const text = `The file cannot be compressed to ${Math.floor(bytes)} bytes.${reached}`
  return failure('unsupported', { text })
}

/** The kbit/s that fill the target in addition to the fixed bytes. */
export function fillingKbps(aim: Aim, fixedBytes: number, seconds: number): number {
  return ((middle(aim) - fixedBytes) * 8) / seconds / 1000
}
