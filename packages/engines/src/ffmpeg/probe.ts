import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { sourceInput } from '../media/input.ts'
import { mediaLimits, probeLimits } from '../media/limits.ts'

// Only what is read: titles and the like may be megabytes, and of the output 1 MiB is kept.
const entries = [
  'format=duration,bit_rate,nb_streams',
  'stream=index,codec_name,codec_type,pix_fmt,width,height,sample_aspect_ratio,r_frame_rate,avg_frame_rate,sample_rate,channels,duration,bit_rate',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation',
  'chapter=start_time',
].join(':')

// Frames twice as wide and high as allowed are still seen, so that they can be refused by name.
const seenPixels = 4 * mediaLimits.side ** 2

/** The step that looks at a source; its standard output is for `parseProbe`. */
export function probeStep(source: SourceFile): ProcessStep {
  const print = ['-print_format', 'json=compact=1', '-show_entries', entries]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffprobe',
    args: ['-hide_banner', '-loglevel', 'error', ...print, ...sourceInput(source, seenPixels)],
    outputs: [],
    limits: probeLimits,
    // It takes a moment beside what follows.
    weight: 0,
    capture: true,
    readExit,
  }
}

function readExit({ stderr }: StepExit): Failure {
  if (stderr.includes('max_streams')) {
    const text = `The file has more than ${mediaLimits.streams} streams, which is the limit.`
    return failure('limit_exceeded', { text, detail: stderr })
  }
  return failure('input_damaged', { detail: stderr })
}
