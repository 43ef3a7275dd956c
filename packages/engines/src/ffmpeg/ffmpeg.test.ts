import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import { found, middleOf, planAfterProbe, sure, video, videoWith } from '../testing/probed-media.ts'
import { ffmpeg } from './ffmpeg.ts'

describe('the first plan', () => {
  it('looks at the file by the one demuxer of its format', () => {
    const source = { file: 'in-0.mkv', format: 'mkv', size: 1, filename: 'x.mkv' }
    const plan = sure(ffmpeg.plan({ operation: 'convert', sources: [source], to: 'mp4', options: {} }))
    expect(plan.steps).toMatchObject([
      { kind: 'process', profile: 'ffmpeg', program: 'ffprobe', capture: true, weight: 0 },
    ])
    const [step] = plan.steps
    if (step?.kind !== 'process') throw new Error('expected a process')
    expect(step.args.join(' ')).toContain(
      '-protocol_whitelist file -format_whitelist matroska -f matroska -max_streams 32 -max_pixels 268435456 -i file:in-0.mkv',
    )
  })

  it('is refused for options of another format', () => {
    const source = { file: 'in-0.mp3', format: 'mp3', size: 1, filename: 'x.mp3' }
    const plan = ffmpeg.plan({ operation: 'convert', sources: [source], to: 'wav', options: { crf: 3 } })
    expect(plan).toMatchObject({ code: 'unsupported' })
  })
})

describe('a conversion', () => {
  it('copies streams if they fit and nothing is to change', () => {
    expect(middleOf(planAfterProbe({ to: 'mp4' }))).toBe('-map 0:0 -map 0:1 -c copy -movflags +faststart')
    expect(middleOf(planAfterProbe({ to: 'm4a' }))).toBe('-map 0:1 -c copy -movflags +faststart')
  })

  it('encodes only what does not fit or is to change', () => {
    expect(middleOf(planAfterProbe({ to: 'mp4', options: { volume: 2 } }))).toBe(
      '-map 0:0 -map 0:1 -c:v copy -c:a:0 aac -b:a:0 128k -filter:a:0 volume=2 -movflags +faststart',
    )
    const vp9 = videoWith({ codec_name: 'vp9' })
    expect(middleOf(planAfterProbe({ to: 'mp4', answer: vp9 }))).toBe(
      '-map 0:0 -map 0:1 -c:v libx264 -pix_fmt yuv420p -preset medium -crf 23 -fps_mode vfr -c:a:0 copy -movflags +faststart',
    )
  })

  it('encodes images from containers that leave times out', () => {
    expect(middleOf(planAfterProbe({ from: 'avi', to: 'mp4' }))).toContain('-c:v libx264')
  })

  it('encodes everything if input and output format are the same', () => {
    const plan = middleOf(planAfterProbe({ from: 'mp4', to: 'mp4' }))
    expect(plan).toContain('-c:v libx264')
    expect(plan).toContain('-c:a:0 aac')
  })

  it('asked for the codec that is there has nothing to encode', () => {
    expect(middleOf(planAfterProbe({ to: 'mp4', options: { video_codec: 'h264' } }))).toContain('-c copy')
  })

  it('writes every option as numbers and predefined words', () => {
    const options = {
      ...{ video_codec: 'h265', crf: 30, preset: 'fast', width: 320, height: 200, fit: 'pad', fps: 29.97, rotate: 90 },
      ...{ audio_codec: 'mp3', audio_bitrate: 96, sample_rate: 22_050, channels: 1, normalize: true, loudness: -16 },
      ...{ start: '1', end: '0:00:03.5', strip: true },
    }
    const plan = planAfterProbe({ to: 'mp4', options })
    expect(middleOf(plan)).toBe(
      '-map 0:0 -map 0:1 -c:v libx265 -pix_fmt yuv420p -preset fast -crf 30 -x265-params log-level=error -tag:v hvc1 ' +
        '-vf transpose=clock,scale=150:200,setsar=1,pad=320:200:85:0,fps=30000/1001 -fps_mode vfr ' +
        '-c:a:0 libmp3lame -b:a:0 96k -ar:a:0 22050 -ac:a:0 1 -filter:a:0 loudnorm=I=-16:TP=-1.5:LRA=11 ' +
        '-map_metadata -1 -map_chapters -1 -movflags +faststart',
    )
    const [step] = sure(plan).steps
    expect(step?.kind === 'process' && step.args.join(' ')).toContain('-ss 1 -t 2.5 -protocol_whitelist file')
  })

  it('reaches a bit rate in two passes', () => {
    const { steps } = sure(planAfterProbe({ to: 'mp4', options: { video_bitrate: 500, two_pass: true } }))
    const [one, two] = steps.map((step) => (step.kind === 'process' ? step.args.join(' ') : ''))
    expect(one).toContain('-b:v 500k -pass 1 -passlogfile pass-0')
    expect(one).toMatch(/-f null -$/)
    expect(one).not.toContain('-map 0:1')
    expect(two).toContain('-b:v 500k -pass 2 -passlogfile pass-0')
  })

  it('warns of an option that the default codec does not have', () => {
    const { warnings } = sure(planAfterProbe({ to: 'avi', options: { crf: 20 } }))
    expect(warnings).toEqual([expect.stringContaining('crf')])
  })

  it('draws subtitles from a file that FFmpeg wrote itself', () => {
    const answer = { ...video, streams: [...video.streams, { index: 2, codec_type: 'subtitle', codec_name: 'subrip' }] }
    const plan = planAfterProbe({ to: 'webm', answer, options: { subtitles: 'burn' } })
    expect(middleOf(plan, 0)).toBe('-map 0:2 -c:s ass')
    expect(middleOf(plan, 1)).toContain('-vf ass=subtitles-0.ass')
    expect(middleOf(planAfterProbe({ to: 'mp4', answer }))).toContain('-map 0:2 -c copy -c:s:0 mov_text')
    expect(middleOf(planAfterProbe({ to: 'mp4', answer, options: { subtitles: 'none' } }))).not.toContain('0:2')
  })

  it('encodes a fragment into formats that are nothing but frames', () => {
    const plan = (size: number) => middleOf(planAfterProbe({ to: 'aac', size }))
    expect(plan(8192)).toContain('-c copy')
    expect(plan(8191)).toContain('-c:a:0 aac')
  })

  it('encodes MP3 of a low sample rate for MP4, which has no place for it', () => {
    const [pictures, sound] = video.streams
    const answer = (rate: string) => ({
      ...video,
      streams: [pictures, { ...sound, codec_name: 'mp3', sample_rate: rate }],
    })
    expect(middleOf(planAfterProbe({ to: 'mp4', answer: answer('16000') }))).toContain('-c copy')
    expect(middleOf(planAfterProbe({ to: 'mp4', answer: answer('11025') }))).toContain('-c:a:0 aac')
    expect(middleOf(planAfterProbe({ to: 'mkv', from: 'flv', answer: answer('11025') }))).toContain('-c copy')
  })

  it('names the channels of codecs that do not say where they belong', () => {
    const [, sound] = video.streams
    const answer = { ...video, streams: [{ ...sound, codec_name: 'speex' }] }
    expect(middleOf(planAfterProbe({ from: 'spx', to: 'm4a', answer }))).toContain('-c:a:0 aac -b:a:0 128k -ac:a:0 2')
  })

  it('keeps the cover of a song where the format has a place for it, unless metadata is stripped', () => {
    const song = videoWith({ codec_name: 'mjpeg', disposition: { attached_pic: 1 } })
    const plan = (to: string, options = {}) => middleOf(planAfterProbe({ from: 'm4a', to, answer: song, options }))
    expect(plan('mp3')).toMatch(/^-map 0:1 -map 0:0 -c:v copy -c:a:0 libmp3lame/)
    expect(plan('flac')).toMatch(/^-map 0:1 -map 0:0 -c:v copy -c:a:0 flac/)
    expect(plan('m4a', { volume: 2 })).toMatch(/^-map 0:1 -map 0:0 -c:v copy -c:a:0 aac/)
    expect(plan('mp3', { strip: true })).toMatch(/^-map 0:1 -c:a:0 libmp3lame/)
    expect(plan('wav')).toMatch(/^-map 0:1 -c:a:0 pcm_s16le/)
  })

  it('encodes what could not be copied after all, then does without the stream that cannot be read', () => {
    const first = sure(planAfterProbe({ to: 'mp4' }))
    expect(middleOf(first)).toContain('-c copy')
    const failed = { ...found([]), failed: [true] }
    const second = sure(first.next?.(failed))
    expect(middleOf(second)).toMatch(/-c:v libx264 .* -c:a:0 aac/)
    const third = sure(second.next?.(failed))
    expect(middleOf(third)).toMatch(/^-map 0:0 -c:v libx264/)
    expect(third.next?.(found([]))).toMatchObject({
      steps: [],
      warnings: ['The audio cannot be read and was left out.'],
    })
    const last = sure(third.next?.(failed))
    expect(middleOf(last)).toMatch(/^-map 0:1 -c:a:0 aac/)
    expect(last.warnings).toEqual(['The video cannot be read and was left out.'])
    expect(last.next).toBeUndefined()
  })

  it('leaves nothing out with strict', () => {
    const vp9 = videoWith({ codec_name: 'vp9' })
    const first = sure(planAfterProbe({ to: 'mp4', answer: vp9, options: { strict: true } }))
    const second = sure(first.next?.({ ...found([]), failed: [true] }))
    expect(middleOf(second)).toMatch(/-c:v libx264 .* -c:a:0 aac/)
    expect(second.next).toBeUndefined()
  })

  it('leaves out a stream of an unknown kind, and says so', () => {
    const [pictures] = video.streams
    const answer = { ...video, streams: [pictures, { index: 1, codec_type: 'audio' }] }
    const plan = sure(planAfterProbe({ to: 'mp4', answer }))
    expect(middleOf(plan)).toMatch(/^-map 0:0 -c copy/)
    expect(plan.warnings).toEqual([expect.stringContaining('left out')])
  })

  it('plays a score and encodes what was played without a look at it', () => {
    const source = { file: 'in-4.mid', format: 'mid', size: 1, filename: 'x.mid' }
    const first = sure(ffmpeg.plan({ operation: 'convert', sources: [source], to: 'mp3', options: {} }))
    expect(first.steps).toMatchObject([{ program: 'fluidsynth', outputs: ['played-4.wav'] }])
    expect(first.steps[0]?.kind === 'process' && first.steps[0].args.slice(-3)).toEqual([
      '-F',
      'played-4.wav',
      'in-4.mid',
    ])
    const second = sure(first.next?.(found([''], { 'played-4.wav': 44 + 44_100 * 4 })))
    expect(second.steps).toMatchObject([{ program: 'ffmpeg', args: expect.arrayContaining(['file:played-4.wav']) }])
    expect(middleOf(second)).toContain('-c:a:0 libmp3lame')
    expect(second.outputs).toMatchObject([{ file: 'out-4.mp3' }])
    expect(first.next?.(found([''], { 'played-4.wav': 44 }))).toMatchObject({ code: 'input_damaged' })
  })

  it('names its files after the source, so that files of one task do not meet', () => {
    const source = { file: 'in-7.mkv', format: 'mkv', size: 1, filename: 'x' }
    const plan = sure(ffmpeg.plan({ operation: 'convert', sources: [source], to: 'jpg', options: { every: 1 } }))
    const next = sure(plan.next?.({ stdout: [JSON.stringify(video)], results: [], sizes: {} }))
    expect(next.outputs).toEqual([{ file: 'out-7-*.jpg', format: 'jpg', source: 0 }])
  })

  it('of a file without audio to an audio format fails with that reason', () => {
    const silent = { ...video, streams: video.streams.slice(0, 1) }
    expect(planAfterProbe({ to: 'mp3', answer: silent })).toMatchObject({
      code: 'unsupported',
      text: 'The file has no audio.',
    })
  })
})

describe('images out of a video', () => {
  it('are one at a time, or one every so often', () => {
    expect(middleOf(planAfterProbe({ to: 'jpg', options: { time: '2.5' } }))).toBe(
      '-map 0:0 -c:v mjpeg -pix_fmt yuvj420p -q:v 4 -frames:v 1 -update 1',
    )
    expect(middleOf(planAfterProbe({ to: 'png', options: { every: 4 } }))).toBe(
      '-map 0:0 -vf fps=1/4:round=up:start_time=0 -c:v png -pix_fmt rgb24 -frames:v 3',
    )
  })

  it('are refused beyond their limit, and taken at it [L-video-pictures]', () => {
    expect(isFailure(planAfterProbe({ to: 'png', options: { every: 0.01 } }))).toBe(false)
    const long = videoWith({}, { duration: '20.01' })
    expect(planAfterProbe({ to: 'png', answer: long, options: { every: 0.01 } })).toMatchObject({
      code: 'limit_exceeded',
    })
  })
})

describe('an animation', () => {
  it('creates its palette in a separate run', () => {
    const plan = planAfterProbe({ to: 'gif', options: { fps: 5, loop: 3 } })
    expect(middleOf(plan, 0)).toBe(
      '-map 0:0 -vf fps=5:eof_action=pass,palettegen=max_colors=256:stats_mode=diff -frames:v 1 -update 1',
    )
    expect(middleOf(plan, 1)).toContain(
      '-filter_complex [0:0]fps=5:eof_action=pass[v];[v][1:v]paletteuse=dither=sierra2_4a:diff_mode=rectangle -loop 2',
    )
  })

  it('has at most 2,000 frames and a billion pixels [L-video-animation]', () => {
    const seconds = (duration: number) => videoWith({}, { duration: String(duration) })
    const plan = (duration: number) => planAfterProbe({ to: 'webp', answer: seconds(duration), options: { fps: 20 } })
    expect(isFailure(plan(100))).toBe(false)
    expect(plan(100.1)).toMatchObject({ code: 'limit_exceeded' })
    const wide = { fps: 10, width: 8192, height: 8192, fit: 'fill' }
    expect(planAfterProbe({ to: 'webp', options: wide })).toMatchObject({ code: 'limit_exceeded' })
  })

  it('of a recording that does not say how long it is has its first frames, with a warning', () => {
    const { duration, ...format } = video.format
    const plan = sure(planAfterProbe({ to: 'gif', answer: { ...video, format } }))
    const [step] = plan.steps
    expect(step?.kind === 'process' && step.args.join(' ')).toContain('-t 200 ')
    expect(plan.warnings).toEqual([expect.stringContaining('200 seconds')])
  })

  it('is drawn without a palette of its own where that fails', () => {
    const plan = sure(planAfterProbe({ to: 'gif' }))
    const plain = sure(plan.next?.({ ...found([]), failed: [false, true] }))
    expect(middleOf(plain)).toBe('-map 0:0 -vf fps=10:eof_action=pass -loop 0')
  })

  it('is narrowed to 640 by default', () => {
    const wide = videoWith({ width: 1920, height: 1080 })
    expect(middleOf(planAfterProbe({ to: 'webp', answer: wide }))).toContain('scale=640:360')
    expect(middleOf(planAfterProbe({ to: 'webp', answer: wide, options: { width: 1280 } }))).toContain('scale=1280:720')
  })
})

describe('a trim', () => {
  it('is exact by encoding, or fast by copying', () => {
    const options = { start: '2', end: '5' }
    const exact = middleOf(planAfterProbe({ operation: 'trim', from: 'mp4', to: 'mp4', options }))
    expect(exact).toContain('-c:v libx264')
    const fast = { ...options, mode: 'fast' }
    expect(middleOf(planAfterProbe({ operation: 'trim', from: 'mp4', to: 'mp4', options: fast }))).toBe(
      '-map 0:0 -map 0:1 -c copy -movflags +faststart',
    )
  })

  it.each([
    [{}, /start, end or both/],
    [{ start: '5', end: '5' }, /later than start/],
    [{ start: '10' }, /10 s long/],
  ])('of %j fails, saying why', (options, text) => {
    const failed = planAfterProbe({ operation: 'trim', from: 'mp4', to: 'mp4', options })
    expect(failed).toMatchObject({ code: 'unsupported', text: expect.stringMatching(text) })
  })
})

describe('a crop', () => {
  const crop = (options: GivenOptions, answer: unknown = video) =>
    planAfterProbe({ operation: 'crop', from: 'mp4', to: 'mp4', options, answer })

  it('cuts the image and leaves the audio alone', () => {
    const plan = middleOf(crop({ x: 10, y: 20, width: 300, height: 200 }))
    expect(plan).toContain('-vf crop=300:200:10:20')
    expect(plan).toContain('-c:a:0 copy')
  })

  it('counts in pixels as they are shown', () => {
    const turned = videoWith({ side_data_list: [{ rotation: -90 }] })
    expect(isFailure(crop({ y: 500, width: 400, height: 140 }, turned))).toBe(false)
    expect(crop({ x: 500, width: 140, height: 100 }, turned)).toMatchObject({
      text: expect.stringContaining('480 x 640'),
    })
  })

  it('makes sizes even, and says so', () => {
    const plan = sure(crop({ width: 301, height: 200 }))
    expect(plan.warnings).toEqual([expect.stringContaining('300 x 200')])
  })

  it('outside the image fails, naming its size', () => {
    for (const options of [{ x: 600, width: 41 }, { y: 479 }, { width: 641 }]) {
      expect(crop(options)).toMatchObject({ code: 'unsupported', text: expect.stringContaining('640 x 480') })
    }
    expect(isFailure(crop({ x: 600, width: 40 }))).toBe(false)
  })
})

describe('progress', () => {
  it('is the share of the part that is read', () => {
    const [step] = sure(planAfterProbe({ to: 'webm', options: { start: '2', end: '6' } })).steps
    if (step?.kind !== 'process') throw new Error('expected a process')
    expect(step.readProgress?.('out_time_us=1000000')).toBe(0.25)
    expect(step.readProgress?.('out_time_us=9000000')).toBe(1)
    for (const line of ['out_time_us=N/A', 'frame=3', 'out_time_ms=1000', '']) {
      expect(step.readProgress?.(line)).toBeUndefined()
    }
  })
})
