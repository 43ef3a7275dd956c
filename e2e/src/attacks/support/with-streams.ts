import type { PlanBench } from '@lathe/testing'

/** A recording with `count` identical audio streams. */
export async function withStreams(bench: PlanBench, count: number): Promise<Buffer> {
  const quiet = ['-nostdin', '-v', 'error']
  const sine = [...quiet, '-f', 'lavfi', '-i', 'sine=d=0.2:r=8000', '-c:a', 'aac', 'one.mp4']
  const { outputs } = await bench.tool('ffmpeg', sine, { outputs: ['one.mp4'] })
  const one = outputs['one.mp4'] ?? Buffer.alloc(0)
  // Copied, not encoded: one encoder each would need more threads than a tool may have.
  const maps = Array.from({ length: count }, () => ['-map', '0:a']).flat()
  const args = [...quiet, '-i', 'one.mp4', ...maps, '-c', 'copy', 'many.mp4']
  const copied = await bench.tool('ffmpeg', args, { files: { 'one.mp4': one }, outputs: ['many.mp4'] })
  const many = copied.outputs['many.mp4']
  if (!many) throw new Error(`no recording was made: ${JSON.stringify(copied.end).slice(0, 500)}`)
  return many
}
