import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { ffmpegCrashes } from '../ffmpeg-crashes.ts'
import { magickStepLimits } from './decoder-limits.ts'
import { pictureLimits } from './limits.ts'

/** Decodes an image with FFmpeg: the first frame to PNG, or all frames to WebP. */
export function ffmpegStep({ file, out, demuxer }: { file: string; out: string; demuxer: string }): ProcessStep {
  const { pixels, frames } = pictureLimits
  const isMoving = out.endsWith('.webp')
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', demuxer, '-f', demuxer],
      ...['-max_pixels', String(pixels), '-i', `file:${file}`, '-map', '0:v:0', '-an'],
      ...(isMoving ? ['-frames:v', String(frames), '-c:v', 'libwebp_anim', '-lossless', '1', '-loop', '0'] : []),
      ...(isMoving ? [] : ['-frames:v', '1', '-update', '1', '-c:v', 'png']),
      ...['-y', `file:${out}`],
    ],
    outputs: [out],
    limits: magickStepLimits,
    readExit,
  }
}

function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (ffmpegCrashes.includes(code)) return undefined
  return failure('input_damaged', { detail: `ffmpeg: exit ${code}\n${stderr.slice(-2000)}` })
}
