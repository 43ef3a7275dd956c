import { p95 } from '../abuse/judge.ts'
import type { Phase } from './book.ts'

/** The judgment of a phase. */
export interface Verdict {
  readonly phase: string
  readonly cells: readonly string[]
  readonly faults: readonly string[]
  /** p95 of jobs compared with that of the phases with one release alone. */
  readonly ratio: number
}

/** The maximum slowdown of the 95th percentile compared with one release alone. */
export const mostSlowdown = 2
export const heads = ['phase', 'jobs', 'job p95', 'to solo', 'request p95', 'videos', 'failed', 'rejected'] as const

/** Compares every phase with those in which one release served alone. */
export function judge(phases: readonly Phase[], { judgesTime }: { readonly judgesTime: boolean }): readonly Verdict[] {
  const solo = p95(phases.filter(({ kind }) => kind === 'solo').flatMap(({ jobs }) => jobs))
  return phases.map((phase) => {
    const { name, kind, jobs, requests, videos, failed, rejected } = phase
    const ratio = p95(jobs) / solo
    const isTooSlow = judgesTime && kind === 'mixed' && jobs.length > 0 && !(ratio <= mostSlowdown)
    return {
      phase: name,
      ratio,
      cells: [
        name,
        String(jobs.length),
        `${p95(jobs).toFixed(0)} ms`,
        `${ratio.toFixed(2)}×`,
        `${p95(requests).toFixed(0)} ms`,
        String(videos.length),
        String(failed.length),
        String(rejected.length),
      ],
      faults: [
        ...failed,
        ...rejected,
        ...(jobs.length === 0 ? ['no job was completed'] : []),
        ...(isTooSlow
          ? [`p95 was ${p95(jobs).toFixed(0)} ms, ${ratio.toFixed(2)}× of ${solo.toFixed(0)} ms solo`]
          : []),
      ],
    }
  })
}

/** Rows under their headings, in columns. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)))
  const line = (row: readonly string[]) => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')
  return all.map((row) => line(row).trimEnd()).join('\n')
}
