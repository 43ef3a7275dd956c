import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, SourceFile, StepExit } from '../engine.ts'
import { sourceInput } from '../media/input.ts'
import { mediaLimits, probeLimits } from '../media/limits.ts'

// Only the fields that are needed: titles and similar metadata may take megabytes, and only 1 MiB of output is kept.
const entries = [
  'format=duration,bit_rate,nb_streams',
  'stream=index,codec_name,codec_type,pix_fmt,width,height,sample_aspect_ratio,r_frame_rate,avg_frame_rate,sample_rate,channels,duration,bit_rate',
  'stream_disposition=attached_pic',
  'stream_tags=language',
  'stream_side_data=rotation',
  'chapter=start_time',
].join(':')

// Frames up to twice the allowed width and height are still probed, so that the failure can name their size.
const seenPixels = 4 * mediaLimits.side ** 2

/** The step that probes a source. Its standard output is for `parseProbe`. */
export function probeStep(source: SourceFile): ProcessStep {
  const print = ['-print_format', 'json=compact=1', '-show_entries', entries]
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffprobe',
    args: ['-hide_banner', '-loglevel', 'error', ...print, ...sourceInput(source, seenPixels)],
    outputs: [],
    limits: probeLimits,
    // It takes little time compared with the following steps.
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
