import type { PlanBench } from '@lathe/testing'

const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2:sample_rate=48000']
const clip = ['-f', 'lavfi', '-i', 'testsrc=size=720x576:rate=25:duration=2', '-pix_fmt', 'yuv420p']
const both = [...clip.slice(0, 4), ...tone, '-pix_fmt', 'yuv420p']

/** The FFmpeg arguments for samples of formats that no engine writes. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  dts: [...tone, '-strict', '-2', '-c:a', 'dca', '-f', 'dts'],
  voc: [...tone, '-f', 'voc'],
  sox: [...tone, '-f', 'sox'],
  sf: [...tone, '-f', 'ircam'],
  adx: [...tone, '-f', 'adx'],
  mxf: [...both, '-c:v', 'mpeg2video', '-c:a', 'pcm_s16le', '-f', 'mxf'],
  gxf: [...both, '-c:v', 'mpeg2video', '-ac', '1', '-f', 'gxf'],
  nut: [...both, '-s', '160x120', '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', '-f', 'nut'],
}

export const mediaFormats: readonly string[] = Object.keys(recipes)

/** Two seconds of a tone, a test video, or both. */
export async function makeMedia(bench: PlanBench, format: string): Promise<Buffer> {
  const file = `a.${format}`
  const args = ['-v', 'error', '-nostdin', '-y', ...(recipes[format] ?? []), file]
  const { outputs, end } = await bench.tool('ffmpeg', args, { outputs: [file] })
  const made = outputs[file]
  if (made === undefined) throw new Error(`no sample of ${format}: ${JSON.stringify(end)}`)
  return made
}
