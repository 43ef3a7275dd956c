import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { sampleMidi } from '../../../../fixtures/sample-audio.ts'
import { synthesizeStep } from '../../../../packages/engines/src/ffmpeg/synthesize.ts'
import { runStep } from '../support/run-step.ts'
import { withStreams } from '../support/with-streams.ts'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

/** Makes a recording with FFmpeg itself, so that it is what it claims to be. */
async function make(file: string, args: readonly string[]): Promise<Buffer> {
  const { end, outputs } = await bench.tool('ffmpeg', ['-nostdin', '-v', 'error', ...args, file], { outputs: [file] })
  const made = outputs[file]
  if (!made) throw new Error(`no ${file} was made: ${JSON.stringify(end)}`)
  return made
}

async function endOf(format: string, content: Buffer, to: string): Promise<string> {
  const end = await bench.run({ operation: 'convert', sources: [{ format, content }], to })
  return end.kind === 'done' ? 'done' : end.code
}

const video = (size: string, rate = 10) => ['-f', 'lavfi', '-i', `color=s=${size}:r=${rate}:d=0.2`]

describe('pixels a side of a video, 8192', () => {
  it.each(steps)('%s [L-video-side]', async (_, step) => {
    // FFV1 takes odd sizes; a strip is as good as a square.
    const content = await make('x.mkv', [...video(`${8192 + step}x16`), '-c:v', 'ffv1', '-frames:v', '1'])
    const end = await endOf('mkv', content, 'mp4')
    if (isWithin(step)) expect(end).toBe('done')
    // FFmpeg itself hides what is larger than it was told to read.
    else expect(['limit_exceeded', 'input_damaged']).toContain(end)
  })
})

describe('frames a second, 240', () => {
  it.each(steps)('%s [L-video-rate]', async (_, step) => {
    const content = await make('x.mp4', [...video('16x16', 240 + step), '-c:v', 'mpeg4'])
    expect(await endOf('mp4', content, 'avi')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('streams of a recording, 32', () => {
  it.each(steps)('%s [L-video-streams]', async (_, step) => {
    const content = await withStreams(bench, 32 + step)
    expect(await endOf('mp4', content, 'mp3')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('seconds of a recording, 720,000', () => {
  it.each(steps)('%s [L-video-length]', async (_, step) => {
    const content = withDuration(await make('x.mkv', [...video('16x16'), '-c:v', 'mpeg4']), 720_000 + step)
    expect(await endOf('mkv', content, 'avi')).toBe(isWithin(step) ? 'done' : 'limit_exceeded')
  })
})

describe('chapters of a recording, 1,000', () => {
  it.each(steps)('%s [L-video-chapters]', async (_, step) => {
    const chapter = (n: number) => `[CHAPTER]\nTIMEBASE=1/10000\nSTART=${n}\nEND=${n + 1}\ntitle=${n}\n`
    const list = `;FFMETADATA1\n${Array.from({ length: 1000 + step }, (_chapter, n) => chapter(n)).join('')}`
    const args = ['-nostdin', '-v', 'error', ...video('16x16'), '-i', 'list.txt', '-map_metadata', '1', '-c:v', 'mpeg4']
    const files = { 'list.txt': list }
    const { outputs } = await bench.tool('ffmpeg', [...args, 'x.mkv'], { files, outputs: ['x.mkv'] })
    expect(await endOf('mkv', outputs['x.mkv'] ?? Buffer.alloc(0), 'mp4')).toBe(
      isWithin(step) ? 'done' : 'limit_exceeded',
    )
  })
})

// With a smaller number in the place of 1 GiB, which takes a minute to fill: the same watch ends the program.
describe('samples of a score, 1 GiB [L-midi]', () => {
  const step = synthesizeStep({ file: 'in-0.mid', format: 'mid', size: 1, filename: 'x.mid' }, 'out-0.wav')
  const play = (outputBytes: number) =>
    runStep(bench, { ...step, limits: { ...step.limits, outputBytes } }, { 'in-0.mid': sampleMidi() })

  it('is what a score is given', () => {
    expect(step.limits.outputBytes).toBe(1024 ** 3)
  })

  it('is enough for one that is shorter', async () => {
    const { end, outputs } = await play(100 * 1024 ** 2)
    expect(end).toBe('done')
    expect(outputs['out-0.wav']?.length).toBeGreaterThan(100_000)
  })

  it('ends one that is longer', async () => {
    expect((await play(65_536)).end).toBe('limit_exceeded')
  })
})

/** A head that tells another length than there is: a day of video would take this test as long. In milliseconds. */
function withDuration(mkv: Buffer, seconds: number): Buffer {
  const changed = Buffer.from(mkv)
  const at = changed.indexOf(Buffer.from('448988', 'hex'))
  if (at === -1) throw new Error('the video tells no length')
  changed.writeDoubleBE(seconds * 1000, at + 3)
  return changed
}
