import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { fixture, tagFile, traitor } from '../testing/tagged-files.ts'

const bench = usePlanBench()

type Options = Readonly<Record<string, unknown>>

async function change(format: string, content: Uint8Array, options: Options): Promise<Buffer> {
  const end = await bench.run({ operation: 'metadata', sources: [{ format, content }], to: format, options })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

async function read(format: string, content: Uint8Array) {
  const end = await bench.run({ operation: 'metadata', sources: [{ format, content }], to: 'json' })
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
  return JSON.parse(end.files[0]?.bytes.toString() ?? '')
}

async function makeClip(to: string): Promise<Buffer> {
  const end = await bench.run({ operation: 'convert', sources: [{ format: 'mp4', content: fixture('clip.mp4') }], to })
  if (isFailure(end)) throw new Error(end.code)
  return end.files[0]?.bytes ?? Buffer.alloc(0)
}

/** A hash of the audio and video that a player would play. */
async function played(format: string, content: Uint8Array): Promise<string> {
  const args = ['-v', 'error', '-i', `a.${format}`, '-map', '0:v?', '-map', '0:a', '-f', 'streamhash', '-']
  return (await bench.tool('ffmpeg', args, { files: { [`a.${format}`]: content } })).stdout
}

const values = {
  title: "A =new; #title\\ 'x' %d",
  author: '-Ünï',
  description: 'Words [x] <=@y',
  copyright: '© 2024',
  date: '2024-05-31T14:30:00+02:00',
}

describe('video', () => {
  it.each(['mp4', 'mov'])(
    'loses its place and all else, and plays the same: %s',
    { timeout: 60_000 },
    async (format) => {
      const group = format === 'mov' ? 'Keys' : 'ItemList'
      const tags = ['Artist', 'Encoder', 'Comment'].map((name) => `-ItemList:${name}=${traitor}`)
      const place = ['-Keys:GPSCoordinates=51.5, -0.125, 35', '-UserData:GPSCoordinates=51.5, -0.125, 35']
      const own = [`-${group}:Title=Old title`, `-XMP-dc:Creator=${traitor}`, `-Keys:Author=${traitor}`]
      const made = format === 'mp4' ? fixture('clip.mp4') : await makeClip(format)
      const clip = await tagFile(bench, made, format, [...tags, ...place, ...own])
      expect((await read(format, clip)).GPS).toMatchObject({ latitude: 51.5, longitude: -0.125 })
      const before = await played(format, clip)
      for (const remove of ['private', 'all']) {
        const stripped = await change(format, clip, { remove, ...(remove === 'all' && { title: 'New' }) })
        expect(await played(format, stripped), remove).toBe(before)
        const found = await read(format, stripped)
        expect(found.GPS).toBeUndefined()
        expect(found.QuickTime.Title).toBe(remove === 'all' ? 'New' : 'Old title')
        // Players show the author of a recording, so only the location is private there.
        if (remove === 'all') expect(stripped.includes(traitor)).toBe(false)
      }
    },
  )

  it('loses tracks of timed data, in which cameras write where they were', { timeout: 60_000 }, async () => {
    const args = ['-v', 'error', '-i', 'a.mp4', '-c', 'copy', '-timecode', '01:02:03:04', 'b.mov']
    const { outputs } = await bench.tool('ffmpeg', args, {
      files: { 'a.mp4': fixture('clip.mp4') },
      outputs: ['b.mov'],
    })
    const clip = outputs['b.mov'] ?? Buffer.alloc(0)
    const kinds = async (content: Uint8Array) =>
      (await read('mov', content)).streams.map(({ codec_type }: { codec_type: string }) => codec_type)
    expect(await kinds(clip)).toEqual(['video', 'audio', 'data'])
    const options = { remove: 'private' }
    const end = await bench.run({
      operation: 'metadata',
      sources: [{ format: 'mov', content: clip }],
      to: 'mov',
      options,
    })
    if (isFailure(end)) throw new Error(end.code)
    expect(end.warnings).toEqual([expect.stringContaining('timed data')])
    const changed = end.files[0]?.bytes ?? Buffer.alloc(0)
    expect(await kinds(changed)).toEqual(['video', 'audio'])
    expect(await played('mov', changed)).toBe(await played('mov', clip))
  })

  it('gets new values', async () => {
    const found = await read('mp4', await change('mp4', fixture('clip.mp4'), { ...values, keywords: 'a, b' }))
    expect(found.QuickTime).toMatchObject({
      Title: values.title,
      Artist: values.author,
      Description: values.description,
      Copyright: values.copyright,
      Keyword: 'a, b',
      CreateDate: '2024:05:31 12:30:00',
      ContentCreateDate: '2024:05:31 14:30:00+02:00',
    })
  })
})

describe('recordings of FFmpeg', () => {
  it.each(['mp3', 'flac', 'mkv', 'webm'])(
    'change their tags and play the same: %s',
    { timeout: 60_000 },
    async (format) => {
      const plain = await makeClip(format)
      const tagged = await change(format, plain, { ...values, keywords: 'red, blue' })
      const before = await played(format, plain)
      expect(await played(format, tagged)).toBe(before)
      expect(lowered((await read(format, tagged)).container)).toMatchObject({
        title: values.title,
        artist: values.author,
        [format === 'mp3' || format === 'flac' ? 'comment' : 'description']: values.description,
        copyright: values.copyright,
        keywords: 'red, blue',
        date: expect.stringContaining('2024-05-31'),
      })
      const secret = await withSecret(format, tagged)
      expect(secret.includes(traitor)).toBe(true)
      const shown = await change(format, secret, { remove: 'private', copyright: 'mine' })
      expect(shown.includes(traitor)).toBe(false)
      expect(await played(format, shown)).toBe(before)
      expect(lowered((await read(format, shown)).container)).toMatchObject({ title: values.title, copyright: 'mine' })
      const bare = await change(format, secret, { remove: 'all' })
      expect(bare.includes(traitor) || bare.includes(values.author)).toBe(false)
      expect(await played(format, bare)).toBe(before)
    },
  )

  // A tag that is not in Lathe's lists.
  async function withSecret(format: string, content: Uint8Array): Promise<Buffer> {
    const [from, to] = [`a.${format}`, `b.${format}`]
    const args = ['-v', 'error', '-i', from, '-map', '0', '-c', 'copy', '-metadata', `ripped_by=${traitor}`, to]
    return (
      (await bench.tool('ffmpeg', args, { files: { [from]: content }, outputs: [to] })).outputs[to] ?? Buffer.alloc(0)
    )
  }

  const lowered = (tags: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]))
})

describe('a PDF', () => {
  const qpdf = async (args: readonly string[], content: Uint8Array) =>
    (await bench.tool('qpdf', [...args, 'a.pdf', 'b.pdf'], { files: { 'a.pdf': content }, outputs: ['b.pdf'] }))
      .outputs['b.pdf'] ?? Buffer.alloc(0)

  async function tagged(): Promise<Buffer> {
    const tags = ['PDF:Author', 'PDF:Creator', 'PDF:Producer', 'PDF:Title', 'XMP-dc:Creator', 'XMP-xmpMM:DocumentID']
    return tagFile(bench, fixture('two-pages.pdf'), 'pdf', [
      ...tags.map((tag) => `-${tag}=${traitor}`),
      '-PDF:Subject=Kept',
    ])
  }

  it('has no word of what was stripped in any of its bytes', { timeout: 60_000 }, async () => {
    const appended = await tagged()
    const packed = await qpdf(['--object-streams=generate'], appended)
    for (const source of [appended, packed]) {
      expect((await qpdf(['--qdf', '--object-streams=disable'], source)).includes(traitor)).toBe(true)
      const bare = await change('pdf', source, { remove: 'all' })
      expect((await qpdf(['--qdf', '--object-streams=disable'], bare)).includes(traitor)).toBe(false)
      const shown = await change('pdf', source, {
        remove: 'private',
        title: 'New',
        keywords: 'x, y',
        date: '2024-05-31',
      })
      expect((await qpdf(['--qdf', '--object-streams=disable'], shown)).includes(traitor)).toBe(false)
      const { PDF, XMP } = await read('pdf', shown)
      expect(PDF).toMatchObject({ Title: 'New', Subject: 'Kept', PageCount: 2, Keywords: ['x', 'y'] })
      expect(PDF.CreateDate).toContain('2024:05:31')
      expect(XMP).toMatchObject({ Title: 'New', Subject: ['x', 'y'] })
    }
  })

  it('loses what its pages and images say about themselves', { timeout: 60_000 }, async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${traitor}</x:xmpmeta>`
    const content = Buffer.from(
      [
        '%PDF-1.4',
        '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
        '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
        `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/PieceInfo<</Editor<</Private(${traitor})>>>>/Resources<</XObject<</I 4 0 R>>>>>>endobj`,
        '4 0 obj<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Metadata 5 0 R/Length 1>>stream\nx\nendstream endobj',
        `5 0 obj<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>stream\n${xmp}\nendstream endobj`,
        'trailer<</Root 1 0 R/Size 6>>\n%%EOF',
      ].join('\n'),
    )
    for (const remove of ['private', 'all']) {
      const stripped = await change('pdf', content, { remove })
      const open = await qpdf(['--qdf', '--object-streams=disable'], stripped)
      expect(open.includes(traitor), remove).toBe(false)
      expect(open.includes('/XObject'), remove).toBe(true)
    }
  })

  it('that is encrypted needs its password, and one with restrictions loses them', { timeout: 60_000 }, async () => {
    const locked = await qpdf(['--encrypt', 'open', 'own', '256', '--'], await tagged())
    const source = { format: 'pdf', content: locked }
    for (const [to, options] of [
      ['json', {}],
      ['pdf', { remove: 'all' }],
    ] as const) {
      const end = await bench.run({ operation: 'metadata', sources: [source], to, options })
      expect(end).toMatchObject({ code: 'input_encrypted' })
      const opened = await bench.run({
        operation: 'metadata',
        sources: [source],
        to,
        options: { ...options, password: 'open' },
      })
      expect(opened).toMatchObject({ kind: 'done' })
    }
    const restricted = await qpdf(['--encrypt', '', 'own', '256', '--modify=none', '--'], await tagged())
    expect((await read('pdf', restricted)).PDF).toMatchObject({ Author: traitor })
    const content = { format: 'pdf', content: restricted }
    const end = await bench.run({ operation: 'metadata', sources: [content], to: 'pdf', options: { title: 'New' } })
    expect(end).toMatchObject({ warnings: [expect.stringContaining('no restrictions')] })
  })
})
