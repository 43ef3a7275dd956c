import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audioCodec } from '../media/audio-codecs.ts'
import { audioContainerNames, audioContainers, videoContainerNames, videoContainers } from '../media/containers.ts'
import { videoCodec } from '../media/video-codecs.ts'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
/** One second of 160 x 120 at 25 frames per second with a stereo tone at 44.1 kHz. */
let clip: Buffer
let tone: Buffer

beforeAll(async () => {
  media = await openMediaBench()
  clip = await media.make(...testClip(), '-c:v', 'libx264', '-c:a', 'aac', 'clip.mkv')
  tone = await media.make('-f', 'lavfi', '-i', 'sine=frequency=440:duration=1', '-ac', '2', 'tone.wav')
})
afterAll(() => media[Symbol.asyncDispose]())

const first = (end: Awaited<ReturnType<MediaBench['run']>>) => end.files[0]?.bytes ?? Buffer.alloc(0)

/** Duration of a plain wave file with 16 bits per sample, ignoring its header. */
const secondsOf = (wav: Buffer, rate = 44_100, channels = 2) => wav.length / (rate * channels * 2)

describe('every video container', () => {
  it.each(videoContainerNames)('%s is written with its default codecs and read again', async (to) => {
    const { video, audio } = videoContainers[to]
    // One option per stream, so that no stream is copied.
    const options = { fps: 25, volume: 0.5 }
    const made = first(await media.run({ from: 'mkv', content: clip, to, options }))
    const found = await media.look(made, to)
    expect(found.video).toMatchObject({ codec: videoCodec(video[0]).probed, width: 160, height: 120 })
    expect(found.audio).toMatchObject([{ codec: audioCodec(audio[0]).probed, channels: 2 }])
    expect(found.video?.fps).toBeCloseTo(25, 1)
    expect(Math.abs(found.frames - 25)).toBeLessThanOrEqual(1)
    const back = first(await media.run({ from: to, content: made, to: 'wav', options: { sample_rate: 44_100 } }))
    expect(Math.abs(secondsOf(back) - 1)).toBeLessThan(0.1)
  })
})

describe('every audio container', () => {
  it.each(audioContainerNames)('%s is written with its default codec and read again', async (to) => {
    const made = first(await media.run({ from: 'wav', content: tone, to }))
    const found = await media.look(made, to)
    expect(found.video).toBeUndefined()
    const { probed, maxChannels } = audioCodec(audioContainers[to].audio[0] ?? 'aac')
    const channels = Math.min(2, maxChannels)
    expect(found.audio).toMatchObject([{ codec: probed, channels }])
    expect(Math.abs((found.seconds ?? 0) - 1)).toBeLessThan(0.1)
    const back = first(await media.run({ from: to, content: made, to: 'wav', options: { sample_rate: 44_100 } }))
    expect(Math.abs(secondsOf(back, 44_100, channels) - 1)).toBeLessThan(0.1)
  })
})
