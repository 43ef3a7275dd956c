import { type Failure, failure } from '@lathe/domain'
import { maxRounds, type Plan, type Step } from '../engine.ts'
import { type Aim, best, isMet, middle, nextKbps, type Try } from './aim.ts'
import type { MediaJob } from './job.ts'

/** How a size is aimed at: a file for each try, made at a bit rate. */
export interface Attempt {
  readonly aim: Aim
  /** Bytes that are there whatever the rate: other streams, headers. */
  readonly fixedBytes: number
  readonly firstKbps: number
  readonly leastKbps: number
  /** The steps of a try; the first of its kind may have to look at everything before. */
  steps(kbps: number, n: number, isFirst: boolean): readonly Step[]
  file(n: number): string
  /** Another way to try, with less to encode, where the rate cannot be lowered any more. */
  smaller?(): Attempt | undefined
}

// The probe takes a round, and a last one without steps names the result.
const mostTries = maxRounds - 4

/** Tries until the size is met; what comes closest without being over is the result. */
export function planTarget(job: MediaJob, attempt: Attempt): Plan | Failure {
  return begin(job, attempt, 0)
}

function begin(job: MediaJob, attempt: Attempt, n: number): Plan {
  return planTry(job, attempt, { n, kbps: Math.max(attempt.firstKbps, attempt.leastKbps), tries: [], files: [] })
}

interface State {
  /** Tries made so far, whatever the way. */
  readonly n: number
  readonly kbps: number
  /** Of this way alone, with their files. */
  readonly tries: readonly Try[]
  readonly files: readonly string[]
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
      // Nothing in the file: the encoder refused so low a rate.
      const tries = [...state.tries, { kbps, bytes: sizes[file] || Number.POSITIVE_INFINITY }]
      return decide(job, attempt, { n: state.n + 1, kbps, tries, files: [...state.files, file] })
    },
  }
}

function decide(job: MediaJob, attempt: Attempt, state: State): Plan | Failure {
  const { aim } = attempt
  const { tries, files, n } = state
  const kept = best(aim, tries)
  if (isMet(aim, tries.at(-1)?.bytes ?? 0)) return done(job, files.at(-1) ?? '')
  const kbps = Math.max(nextKbps(aim, tries, attempt.fixedBytes), attempt.leastKbps)
  const isRefused = tries.at(-1)?.bytes === Number.POSITIVE_INFINITY
  const isStuck = isRefused || tries.some((one) => Math.abs(one.kbps - kbps) < Math.max(0.1, kbps * 0.001))
  if (n < mostTries && !isStuck) return planTry(job, attempt, { ...state, kbps })
  if (kept !== -1) return done(job, files[kept] ?? '')
  const smaller = n < mostTries ? attempt.smaller?.() : undefined
  return smaller ? begin(job, smaller, n) : cannot(aim, tries)
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
  const text = `The file cannot be made as small as ${Math.floor(bytes)} bytes.${reached}`
  return failure('unsupported', { text })
}

/** kbit/s that fill what a target leaves beside the fixed bytes. */
export function fillingKbps(aim: Aim, fixedBytes: number, seconds: number): number {
  return ((middle(aim) - fixedBytes) * 8) / seconds / 1000
}
