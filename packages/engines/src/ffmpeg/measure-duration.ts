import type { Failure } from '@lathe/domain'
import type { Plan } from '../engine.ts'
import { type MediaJob, made } from './job.ts'
import type { Media } from './media.ts'
import { runStep } from './run-step.ts'

/**
 * Reads a file to its end for its duration, which its header does not have: recordings of browsers and files that were
 * written into a pipe.
 */
export function measureDuration(job: MediaJob, next: (media: Media) => Plan | Failure): Plan {
  const { media, to } = job
  const streams = [...(media.video ? [media.video] : []), ...media.audio]
  const args = [...streams.flatMap(({ index }) => ['-map', `0:${index}`]), '-c', 'copy']
  return {
    kind: 'plan',
    steps: [{ ...runStep(job, { span: { start: 0, args: [] }, args, muxer: 'null', weight: 0.1 }), capture: true }],
    outputs: [{ file: made(job, 'out', `.${to}`), format: to, source: 0 }],
    warnings: [],
    next: ({ stdout }) => {
      const times = [...(stdout[0] ?? '').matchAll(/^out_time_us=(\d{1,15})$/gm)]
      const seconds = Number(times.at(-1)?.[1] ?? 0) / 1e6
      return next(seconds > 0 ? { ...media, seconds } : media)
    },
  }
}
