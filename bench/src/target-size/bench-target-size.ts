import { isFailure } from '@lathe/domain'
import { openPlanBench, type PlanBench } from '@lathe/testing'
import { atLeast, atMost, figure, type Measure, median, say } from '../parts/measure.ts'
import { type Video, videos } from './sample-videos.ts'

/** The requested sizes as a share of each file. */
const targets = [0.75, 0.4, 0.15] as const

/** Compresses videos to target sizes in the real sandbox: never over, and at most 3% under. */
export async function benchTargetSize(
  report: (measures: readonly Measure[]) => void,
  _only: readonly string[],
  isQuick: boolean,
): Promise<void> {
  await using bench = await openPlanBench()
  const chosen = isQuick ? videos.filter((_, n) => n % 10 === 0) : videos
  const shares: number[] = []
  const times: number[] = []
  let refused = 0
  for (const video of chosen) {
    const content = await make(bench, video)
    for (const share of targets) {
      const startedAt = performance.now()
      const made = await compress(bench, { video, content, target: Math.floor(content.length * share) })
      times.push((performance.now() - startedAt) / 1000)
      if (made === undefined) refused += 1
      else shares.push(made)
    }
  }
  report([
    figure('target_size_results', shares.length, 'files'),
    atMost('target_size_refused', refused, 'files', 0),
    atMost('target_size_largest', Math.max(...shares), 'of target', 1),
    atLeast('target_size_smallest', Math.min(...shares), 'of target', 0.97),
    figure('target_size_median_time', median(times), 's'),
  ])
}

async function make(bench: PlanBench, { name, ext, args }: Video): Promise<Buffer> {
  const file = `video.${ext}`
  const { end, outputs } = await bench.tool('ffmpeg', ['-v', 'error', '-nostdin', ...args, file], { outputs: [file] })
  const made = outputs[file]
  if (made === undefined) throw new Error(`${name} cannot be made: ${end.stderr}`)
  return made
}

/** The reached size as a share of the target; undefined if the task was refused. */
async function compress(
  bench: PlanBench,
  { video, content, target }: { video: Video; content: Buffer; target: number },
): Promise<number | undefined> {
  const sources = [{ format: video.ext, content }]
  const end = await bench.run({ operation: 'compress', sources, to: video.ext, options: { target_size: target } })
  if (isFailure(end)) {
    say(`${video.name} to ${target} of ${content.length} bytes: ${end.code} ${end.text ?? end.detail ?? ''}`)
    return undefined
  }
  const share = (end.files[0]?.bytes.length ?? 0) / target
  say(`${video.name} to ${target} of ${content.length} bytes: ${(share * 100).toFixed(2)} %`)
  return share
}
