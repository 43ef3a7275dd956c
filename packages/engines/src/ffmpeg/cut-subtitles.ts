import type { Span } from './job.ts'
import { secondsArgument } from './times.ts'

/**
 * The arguments that cut subtitles like the video. FFmpeg passes on those that began before the start, at negative
 * times, for which some containers move all other streams; and those that begin after the end.
 */
export function subtitleCutArgs({ start, end }: Pick<Span, 'start' | 'end'>): readonly string[] {
  if (start === 0 && end === undefined) return []
  const last = end === undefined ? undefined : secondsArgument(end - start)
  const isOutside = ['lte(pts+duration\\,0)', ...(last === undefined ? [] : [`gte(pts*tb\\,${last})`])].join('+')
  const until = last === undefined ? 'PTS+DURATION' : `min(PTS+DURATION\\,${last}/TB)`
  // Images have no duration: each stays until the next.
  const duration = `if(gt(DURATION\\,0)\\,max(1\\,${until}-max(PTS\\,0))\\,0)`
  return ['-bsf:s', `noise=drop='${isOutside}',setts=ts='max(TS\\,0)':duration='${duration}'`]
}
