import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sampleMidi } from '../../../../fixtures/sample-audio.ts'
import { gab2, makeAvi } from '../testing/evil-media.ts'
import { type MediaBench, openMediaBench, testClip } from '../testing/media-bench.ts'

let media: MediaBench
let tripwire: Server
let folder: string
let canary: string
let clip: Buffer
let hits = 0
const token = randomBytes(32).toString('hex')

beforeAll(async () => {
  media = await openMediaBench()
  folder = await mkdtemp(join(tmpdir(), 'lathe-canary-'))
  await chmod(folder, 0o755)
  canary = join(folder, 'canary')
  await writeFile(canary, token, { mode: 0o644 })
  tripwire = createServer((socket) => {
    hits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tripwire, 'listening')
  clip = await media.make(...testClip(), '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', 'clip.mkv')
})

afterAll(async () => {
  await media[Symbol.asyncDispose]()
  tripwire.close()
  await rm(folder, { recursive: true })
})

afterEach(async () => {
  expect(hits).toBe(0)
  expect(await readFile(canary, 'utf8')).toBe(token)
})

const http = () => {
  const address = tripwire.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
}

/** Converts a file under the name of a format. Neither the outputs nor the messages may contain the canary. */
async function attack(content: string | Buffer, from: string, to: string, options: Record<string, unknown> = {}) {
  const sources = [{ format: from, content: Buffer.from(content) }]
  const end = await media.bench.run({ operation: 'convert', sources, to, options })
  const said = isFailure(end) ? JSON.stringify(end) : end.warnings.join()
  const made = isFailure(end) ? [] : end.files.map(({ bytes }) => bytes)
  const forms = [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64').slice(0, 60)]
  for (const form of forms) for (const bytes of [Buffer.from(said), ...made]) expect(bytes.includes(form)).toBe(false)
  return end
}

const hls = (target: string) => `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${target}\n#EXT-X-ENDLIST\n`
const ranged = (target: string) => `#EXTM3U\n#EXTINF:10,\n#EXT-X-BYTERANGE:64@0\n${target}\n#EXT-X-ENDLIST\n`
const dash = (target: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period>` +
  `<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`

// Text that makes some FFmpeg demuxer open other files. Under these names, that demuxer must never be used.
const lists: Readonly<Record<string, () => string>> = {
  'a: HLS that names a local file': () => hls(`file://${canary}`),
  'a: HLS that names a host': () => hls(`${http()}/x.ts`),
  'b: HLS with concat': () => hls(`concat:${http()}/h.m3u8|file://${canary}`),
  'c: HLS with subfile': () => hls(`subfile,,start,0,end,64,,:${canary}`),
  'e: HLS master with a local child': () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nfile://${canary}\n`,
  'f: ffconcat': () => `ffconcat version 1.0\nfile ${canary}\n`,
  'g: DASH': () => dash(`file://${canary}`),
  'g: DASH to a host': () => dash(`${http()}/x.mp4`),
  'h: SDP': () => `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n`,
  'h: CUE': () => `FILE "${canary}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n`,
  'h: SBG': () => `-SE\noff: -\nx: pink/40 ${canary}\nNOW x\n`,
  'h: PLS': () => `[playlist]\nFile1=${canary}\nLength1=-1\nNumberOfEntries=1\nVersion=2\n`,
  'i: HLS that names itself': () => hls('in-0.mp4'),
}

describe('A04', () => {
  it('control: a playlist attack succeeds if FFmpeg chooses the demuxer', async () => {
    const files = { 'video.mp4': 'ffconcat version 1.0\nfile other.mkv\n', 'other.mkv': clip }
    const { stdout } = await media.bench.tool('ffprobe', ['-v', 'error', '-show_format', 'video.mp4'], { files })
    expect(stdout).toContain('format_name=concat')
  })

  it.each(Object.keys(lists))('%s is refused under the name of a video', async (name) => {
    const end = await attack(lists[name]?.() ?? '', 'mp4', 'mkv')
    expect(end).toMatchObject({ kind: 'failure', code: 'input_damaged' })
  })

  it.each(['avi', 'mkv', 'ts', 'flv', 'mpg', 'wmv', 'ogv', 'mp3', 'aac', 'ac3', 'amr'])(
    'a: HLS under the name of %s is refused or reveals nothing',
    async (from) => {
      const end = await attack(hls(`file://${canary}`), from, 'wav')
      expect(end).toMatchObject({ kind: 'failure' })
    },
  )

  it.each([
    ['a list', () => ranged(`file://${canary}`)],
    ['a list that names a host', () => ranged(`${http()}/x`)],
  ])('d: AVI with %s for subtitles reveals nothing', async (_, list) => {
    const evil = makeAvi({ subtitle: gab2(list()) })
    // The packet is really detected as a subtitle file.
    expect((await media.look(evil, 'avi')).streams).toBe(2)
    for (const options of [{}, { subtitles: 'burn' }]) {
      const end = await attack(evil, 'avi', 'mkv', options)
      if (!isFailure(end)) expect(end.files).toHaveLength(1)
    }
  })

  it('i: ends long before its deadline', async () => {
    const startedAt = performance.now()
    await attack(hls('in-0.ts').repeat(1000), 'ts', 'mp4')
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })
})

describe('B04', () => {
  it.each([
    ['one frame of 16,384 x 4,096', { width: 16_384, height: 4096 }, '8192 x 8192'],
    ['1,000,000 frames a second', { rate: 1_000_000, length: 1_000_000 }, '240 frames'],
    ['a header that claims 10^9 s', { rate: 1, length: 1_000_000_000 }, '200 hours'],
    ['1,000 streams', { streams: 1000 }, '32 streams'],
  ])('%s: refused before anything is encoded', async (_, claims, limit) => {
    const end = await attack(makeAvi(claims), 'avi', 'mp4')
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining(limit) })
  })

  it('one frame of 16,384 x 16,384: refused, for FFmpeg itself will not say its size', async () => {
    const end = await attack(makeAvi({ width: 16_384, height: 16_384 }), 'avi', 'mp4')
    expect(end).toMatchObject({ code: 'input_damaged', text: expect.stringContaining('8192 x 8192') })
  })

  it('32 streams are taken, 33 are not', async () => {
    expect(isFailure(await attack(makeAvi({ streams: 32 }), 'avi', 'mp4'))).toBe(false)
    expect(await attack(makeAvi({ streams: 33 }), 'avi', 'mp4')).toMatchObject({ code: 'limit_exceeded' })
  })

  it('10,000 chapters: refused [L-video-chapters]', async () => {
    const chapters = Array.from({ length: 10_000 }, (_, n) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${n}\nEND=${n + 1}\n`)
    const files = { 'in.mkv': clip, 'meta.txt': `;FFMETADATA1\n${chapters.join('')}` }
    const args = [
      '-v',
      'error',
      '-i',
      'in.mkv',
      '-f',
      'ffmetadata',
      '-i',
      'meta.txt',
      '-map_chapters',
      '1',
      '-c',
      'copy',
    ]
    const { outputs } = await media.bench.tool('ffmpeg', [...args, 'out.mkv'], { files, outputs: ['out.mkv'] })
    const end = await attack(outputs['out.mkv'] ?? '', 'mkv', 'mp4')
    expect(end).toMatchObject({ code: 'limit_exceeded', text: expect.stringContaining('chapters') })
  })

  it('a gap of 20 hours between two frames is not filled with frames', async () => {
    const gap = ['-vf', "setpts='PTS+if(gte(N,12),72000/TB,0)'", '-fps_mode', 'vfr']
    const evil = await media.make(...testClip(), ...gap, '-c:v', 'libx264', '-preset', 'ultrafast', '-an', 'gap.mkv')
    const startedAt = performance.now()
    const end = await attack(evil, 'mkv', 'avi')
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    if (!isFailure(end)) expect(end.files[0]?.bytes.length).toBeLessThan(50_000_000)
  })

  it('a source of endless frames named in the content is refused', async () => {
    for (const text of ['testsrc=size=8192x8192:rate=240', 'lavfi:testsrc', 'color=c=red']) {
      expect(await attack(text, 'mp4', 'mkv')).toMatchObject({ code: 'input_damaged' })
    }
  })
})

describe('scores and modules', () => {
  it('a pause of hours is not played to its end [L-midi]', async () => {
    const startedAt = performance.now()
    const end = await attack(sampleMidi(0xf_ff_ff_ff), 'mid', 'mp3')
    expect(end).toMatchObject({ code: 'limit_exceeded' })
    expect(performance.now() - startedAt).toBeLessThan(240_000)
  }, 300_000)

  it('files that are not scores are refused, be it a list of files, a sound font or noise', async () => {
    const font = 'RIFF\x10\0\0\0sfbkLIST\x04\0\0\0INFO'
    for (const text of [hls(`file://${canary}`), `load ${canary}\n`, font, randomBytes(300), '']) {
      expect(await attack(text, 'mid', 'wav')).toMatchObject({ code: 'input_damaged' })
    }
  })

  it.each(['mod', 's3m', 'xm', 'it', 'mpc', 'tak', 'dsf', 'ape', 'wv', 'tta', 'au', 'spx', 'ra', 'rm', 'wtv', 'swf'])(
    'a list of files is no %s',
    async (from) => {
      for (const text of [hls(`file://${canary}`), `ffconcat version 1.0\nfile ${canary}\n`]) {
        expect(await attack(text, from, 'mp3')).toMatchObject({
          code: expect.stringMatching(/input_damaged|unsupported/),
        })
      }
    },
  )
})

describe('after all of that', () => {
  it('ten plain conversions succeed', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect(isFailure(await attack(clip, 'mkv', n % 2 === 0 ? 'mp3' : 'mp4'))).toBe(false)
    }
  })
})
