/** Measurements of the normal tenant in one phase: milliseconds of each upload and each download. */
export interface Phase {
  readonly uploads: number[]
  readonly downloads: number[]
}

/** One attack in several waves, and the measurements of the same tenant alone between them. */
export interface Trial {
  readonly attack: string
  /** The attackers' report on what they did and which responses they got. */
  readonly reported: string
  readonly alone: readonly Phase[]
  readonly during: readonly Phase[]
  /** Measured during the attack at another api of the same stack, alternating with the attacked api. */
  readonly elsewhere: readonly Phase[]
  /** Requests of the normal tenant that failed. */
  readonly failures: readonly string[]
  /** All responses of `/readyz`. */
  readonly readiness: readonly string[]
  readonly memory: { readonly beforeMb: number; readonly mostMb: number; readonly lastMb: number }
}

export interface Verdict {
  readonly attack: string
  readonly faults: readonly string[]
  readonly row: readonly string[]
}

/** The maximum slowdown of the normal tenant compared with running alone. */
export const mostSlowdown = 1.5
// Below this, sockets and timers matter more than the service.
const leastMs = 5
// Buffers of some thousand sockets; data from attackers must not be kept.
const mostGrowthMb = 96

/** The 95th percentile. */
export function p95(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? Number.NaN
}

/**
 * The effect of an attack on the normal tenant. Times at the attacked api are compared with those just before and with
 * simultaneous times at another api: other load on the machine slows both apis, an attack only one.
 */
export function judge(trial: Trial): Verdict {
  const { attack, reported, failures, readiness, memory } = trial
  const uploads = compare(trial, (phase) => phase.uploads)
  const downloads = compare(trial, (phase) => phase.downloads)
  const growth = memory.mostMb - memory.beforeMb
  const faults = [
    ...failures,
    ...(uploads.isTooSlow ? [`uploads took ${tell(uploads)}`] : []),
    ...(downloads.isTooSlow ? [`downloads took ${tell(downloads)}`] : []),
    ...(readiness.length === 0 ? ['/readyz never answered'] : []),
    ...(readiness.includes('down') ? ['/readyz said down'] : []),
    ...(growth > mostGrowthMb ? [`the api grew by ${growth.toFixed(0)} MB`] : []),
  ]
  const states = [...new Set(readiness)].join(' ')
  const row = [
    attack,
    tell(uploads),
    tell(downloads),
    states,
    `${memory.beforeMb.toFixed(0)} → ${memory.mostMb.toFixed(0)}`,
    reported,
  ]
  return { attack, faults, row }
}

interface Comparison {
  readonly alone: number
  readonly elsewhere: number
  readonly now: number
  readonly isTooSlow: boolean
}

function compare(trial: Trial, times: (phase: Phase) => readonly number[]): Comparison {
  const [alone, elsewhere, now] = [
    p95(trial.alone.flatMap(times)),
    p95(trial.elsewhere.flatMap(times)),
    p95(trial.during.flatMap(times)),
  ]
  const isTooSlow = !(now <= Math.max(alone, elsewhere, leastMs) * mostSlowdown)
  return { alone, elsewhere, now, isTooSlow }
}

function tell({ alone, elsewhere, now }: Comparison): string {
  const ratio = (to: number) => `${(now / Math.max(to, leastMs)).toFixed(2)}×`
  return `${now.toFixed(0)} ms (${ratio(alone)} of ${alone.toFixed(0)} alone, ${ratio(elsewhere)} of ${elsewhere.toFixed(0)} elsewhere)`
}

const heads = ['attack', 'upload p95', 'download p95', 'readyz', 'api MB', 'attackers']

/** All rows under their headings, in columns. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
