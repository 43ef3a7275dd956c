import { readFile } from 'node:fs/promises'
import type { PlanBench } from '@lathe/testing'
import { fixturePath } from '../../../../fixtures/fixtures.ts'

/** The spoken words of the fixture: two sentences of common words. */
export const spokenWords =
  'please call the office tomorrow morning and ask for the manager we will meet at the station before noon and the weather is very nice today'

/** Speech as FLAC, filtered by FFmpeg. */
export async function makeSpeech(bench: PlanBench, filters = 'anull'): Promise<Buffer> {
  const args = ['-nostdin', '-v', 'error', '-i', 'speech.opus', '-af', filters, '-ar', '16000', 'out.flac']
  const files = { 'speech.opus': await readFile(fixturePath('speech.opus')) }
  const { end, outputs } = await bench.tool('ffmpeg', args, { files, outputs: ['out.flac'] })
  const made = outputs['out.flac']
  if (made === undefined) throw new Error(`no speech was made: ${end.stderr}`)
  return made
}
