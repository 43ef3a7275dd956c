import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
beforeAll(async () => {
  media = await openMediaBench()
})
afterAll(() => media[Symbol.asyncDispose]())

/** The share of a target that compression reaches. */
async function reached(from: string, content: Buffer, target_size: number, more: Record<string, unknown> = {}) {
  const end = await media.run({ operation: 'compress', from, content, options: { target_size, ...more } })
  return (end.files[0]?.bytes.length ?? 0) / target_size
}

const noisy = ['-vf', 'noise=alls=20:allf=t']

describe('a video compressed to a size', () => {
  it.each([
    ['mp4', ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18'], { preset: 'veryfast' }, [0.7, 0.3, 0.1]],
    ['avi', ['-c:v', 'mpeg4', '-q:v', '2'], {}, [0.6, 0.3]],
    ['webm', ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'], { preset: 'veryfast' }, [0.5]],
  ])('%s is never over and at most 3 percent under', async (ext, codec, options, shares) => {
    const content = await media.make(...testClip({ seconds: 2 }), ...noisy, ...codec, `clip.${ext}`)
    for (const share of shares) {
      const result = await reached(ext, content, Math.floor(content.length * share), options)
      expect(result).toBeLessThanOrEqual(1)
      expect(result).toBeGreaterThanOrEqual(0.97)
    }
  })

  it('in which nothing moves is never over, and filled by its audio', async () => {
    const still = [
      '-f',
      'lavfi',
      '-i',
      'smptehdbars=size=160x120:rate=25',
      '-f',
      'lavfi',
      '-i',
      'anoisesrc=amplitude=0.2',
    ]
    const coding = ['-t', '4', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '160k']
    const content = await media.make(...still, ...coding, 'still.mp4')
    for (const share of [0.7, 0.4]) {
      const result = await reached('mp4', content, Math.floor(content.length * share), { preset: 'veryfast' })
      expect(result).toBeLessThanOrEqual(1)
      expect(result).toBeGreaterThanOrEqual(0.85)
    }
  })

  it('that cannot be met fails, saying what was reached', async () => {
    const content = await media.make(...testClip(), '-c:v', 'libx264', '-preset', 'ultrafast', 'clip.mp4')
    await expect(reached('mp4', content, 1500, { preset: 'ultrafast' })).rejects.toThrow(/cannot be compressed to/)
  })
})

describe('audio compressed to a size', () => {
  it.each(['mp3', 'aac', 'm4a', 'ogg', 'opus', 'wma', 'ac3'])('%s is never over', async (ext) => {
    const rate = ext === 'opus' ? [] : ['-b:a', '192k']
    const tone = ['-f', 'lavfi', '-i', 'anoisesrc=duration=5:amplitude=0.3:sample_rate=48000', '-ac', '2', ...rate]
    const content = await media.make(...tone, `noise.${ext}`)
    for (const share of [0.7, 0.4]) {
      const result = await reached(ext, content, Math.floor(content.length * share))
      expect(result).toBeLessThanOrEqual(1)
      expect(result).toBeGreaterThanOrEqual(0.6)
    }
  })
})
