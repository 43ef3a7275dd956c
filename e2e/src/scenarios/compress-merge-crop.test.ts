import type { FormatList, OptionSet } from '@lathe/contract'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FixtureName } from '../../../fixtures/fixtures.ts'
import { docxOf, epubOf, odtOf, pptxOf } from '../../../fixtures/office/image-documents.ts'
import { photo } from '../../../fixtures/photo.ts'
import type { Client } from '../client.ts'
import { openOutput, openZip } from '../outputs.ts'
import { completed, dataBody, fixture, importFixture, importTask, newClient, outputOf } from '../scenario.ts'

let api: Client
beforeAll(async () => {
  api = await newClient()
})

async function ids(...names: FixtureName[]): Promise<string[]> {
  const tasks = await Promise.all(names.map((name) => importFixture(api, name)))
  return tasks.map(({ id }) => id)
}

const formatsOf = async (operation: string) =>
  (await api.get<FormatList>(`/v1/query/formats/${operation}`)).body.formats.map(({ ext }) => ext)

const pictures: Readonly<Record<string, FixtureName>> = {
  avif: 'photo.avif',
  gif: 'animated.gif',
  jpg: 'photo-100k.jpg',
  png: 'alpha.png',
  tiff: 'photo.tiff',
  webp: 'photo.webp',
}

describe('compress', () => {
  it('accepts every image and keeps its format [S-gen-05]', async () => {
    expect(await formatsOf('compress')).toEqual(expect.arrayContaining(Object.keys(pictures)))
    for (const [format, name] of Object.entries(pictures)) {
      const [input] = await ids(name)
      const task = completed(await api.run('compress', { input }))
      const opened = await openOutput(await outputOf(api, task))
      expect(opened.format).toBe(format)
      expect(task.result.files?.[0]?.size).toBeLessThanOrEqual(fixture(name).length)
    }
  })

  it('makes documents smaller by compressing their images, and keeps their words', async () => {
    const image = await photo(1600, 1200, { grain: 6 }).jpeg({ quality: 92 }).toBuffer()
    const shown = [{ file: 'a.jpg', bytes: image, width: 4, height: 3 }]
    const documents = { docx: docxOf(shown), pptx: pptxOf(shown), odt: odtOf(shown), epub: epubOf(shown) }
    expect(await formatsOf('compress')).toEqual(
      expect.arrayContaining([...Object.keys(documents), 'xlsx', 'ods', 'odp']),
    )
    for (const [format, bytes] of Object.entries(documents)) {
      const source = await api.run('import/base64', dataBody(bytes, `report.${format}`))
      const task = completed(await api.run('compress', { input: source.id }))
      expect(task.result.files?.[0]?.filename).toBe(`report.${format}`)
      const result = await outputOf(api, task)
      expect(result.length).toBeLessThan(0.8 * bytes.length)
      const [before, after] = [await openZip(bytes), await openZip(result)]
      expect([...after.keys()]).toEqual([...before.keys()])
      for (const [name, part] of before) if (!name.endsWith('.jpg')) expect(after.get(name)).toEqual(part)
    }
  })

  it('makes a photograph smaller', async () => {
    const [input] = await ids('photo-100k.jpg')
    const task = await api.run('compress', {
      input,
      input_format: 'jpg',
      output_format: 'jpg',
      options: { quality: 40 },
    })
    expect((await outputOf(api, task)).length).toBeLessThan(0.8 * fixture('photo-100k.jpg').length)
  })

  it('keeps the original, with a warning, when the result is not smaller [D-op-25]', async () => {
    const tiny = await sharp(fixture('photo-40k.jpg')).jpeg({ quality: 2 }).toBuffer()
    const source = await api.run('import/base64', dataBody(tiny, 'tiny.jpg'))
    const task = await api.run('compress', { input: source.id, options: { quality: 95 } })
    expect(await outputOf(api, task)).toEqual(tiny)
    expect(task.result.warnings).toEqual([expect.stringMatching(/original/i)])
  })

  it('is refused for another output format', async () => {
    const [input] = await ids('photo-40k.jpg')
    const json = { input, input_format: 'jpg', output_format: 'png' }
    expect((await api.refused('POST', '/v1/process/compress', { json })).errors?.[0]?.path).toBe('output_format')
  })

  it('needs nothing but an input', async () => {
    const { errors } = await api.refused('POST', '/v1/process/compress', { json: {} })
    expect(errors?.map(({ path }) => path)).toEqual(['input'])
  })
})

describe('merge', () => {
  it('makes an animation from images, one frame each, in the order of its input', async () => {
    const input = await ids('photo-40k.jpg', 'alpha.png', 'photo.webp')
    const task = await api.run('merge', { input, output_format: 'gif', filename: 'trip.gif', options: { delay: 200 } })
    expect(completed(task).result.files?.[0]?.filename).toBe('trip.gif')
    const bytes = await outputOf(api, task)
    expect(await openOutput(bytes)).toMatchObject({ format: 'gif', pages: 3, width: 640, height: 480 })
    expect((await sharp(bytes, { animated: true }).metadata()).delay).toEqual([200, 200, 200])
  })

  it('makes a PDF from images, one page each', async () => {
    const input = await ids('photo-40k.jpg', 'alpha.png')
    const task = await api.run('merge', { input, output_format: 'pdf' })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ format: 'pdf', pages: 2 })
  })

  it('mixes PDF files and images [S-gen-05]', async () => {
    const input = await ids('photo-40k.jpg', 'two-pages.pdf', 'photo.avif')
    const task = await api.run('merge', { input, output_format: 'pdf' })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ pages: 4 })
  })

  it('of one file is refused in a job', async () => {
    const tasks = {
      only: importTask('photo-40k.jpg'),
      all: { operation: 'merge', input: ['only'], output_format: 'pdf' },
    }
    const { status, errors } = await api.refused('POST', '/v1/process/jobs', { json: { tasks } })
    expect({ status, path: errors?.[0]?.path }).toEqual({ status: 400, path: 'tasks.all.input[0]' })
  })

  it('of one earlier task is refused if it has a single file [D-op-28]', async () => {
    const input = await ids('photo-40k.jpg')
    const { errors } = await api.refused('POST', '/v1/process/merge', { json: { input, output_format: 'pdf' } })
    expect(errors?.[0]).toMatchObject({ path: expect.stringMatching(/^input/), msg: expect.stringContaining('two') })
  })

  it('of one earlier task uses all files of that task', async () => {
    const both = await api.run('convert', { input: await ids('photo-40k.jpg', 'alpha.png'), output_format: 'webp' })
    const task = await api.run('merge', { input: [both.id], output_format: 'pdf' })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ pages: 2 })
  })

  it('is refused for another output than pdf or gif', async () => {
    const input = await ids('photo-40k.jpg', 'alpha.png')
    const { errors } = await api.refused('POST', '/v1/process/merge', { json: { input, output_format: 'png' } })
    expect(errors?.[0]?.path).toBe('output_format')
  })

  it('needs an input and an output format', async () => {
    const { errors } = await api.refused('POST', '/v1/process/merge', { json: {} })
    expect(errors?.map(({ path }) => path)).toEqual(expect.arrayContaining(['input', 'output_format']))
  })

  it('accepts the result of compress: callers choose the order [S-proc-12]', async () => {
    const [first, second] = await ids('photo-40k.jpg', 'photo-100k.jpg')
    const smaller = await api.create('compress', { input: first })
    const task = await api.run('merge', { input: [smaller.id, second], output_format: 'pdf' })
    expect(await openOutput(await outputOf(api, task))).toMatchObject({ pages: 2 })
  })
})

describe('crop', () => {
  it('keeps the requested area of every image [D-op-29]', async () => {
    expect(await formatsOf('crop')).toEqual(expect.arrayContaining(Object.keys(pictures)))
    for (const [format, name] of Object.entries(pictures)) {
      const [input] = await ids(name)
      const task = await api.run('crop', { input, options: { x: 10, y: 5, width: 50, height: 40 } })
      expect(await openOutput(await outputOf(api, task)), format).toMatchObject({ format, width: 50, height: 40 })
    }
  })

  it('needs options', async () => {
    const [input] = await ids('photo-40k.jpg')
    expect((await api.refused('POST', '/v1/process/crop', { json: { input } })).errors?.[0]?.path).toBe('options')
  })
})

describe('trim', () => {
  it('keeps the requested part of a recording, and the requested pages of a document', async () => {
    const [clip, pages] = await ids('clip.mp4', 'two-pages.pdf')
    const shorter = completed(await api.run('trim', { input: clip, options: { start: 0.2, end: 0.7 } }))
    expect(shorter.result.files).toMatchObject([{ filename: 'clip.mp4' }])
    const first = await api.run('trim', { input: pages, options: { pages: '2' } })
    expect(await openOutput(await outputOf(api, first))).toMatchObject({ format: 'pdf', pages: 1 })
  })

  it('offers its options', async () => {
    const { status, body } = await api.get<OptionSet>('/v1/query/options/trim?input_format=mp4')
    expect(status).toBe(200)
    expect(body.options.map(({ name }) => name)).toEqual(expect.arrayContaining(['start', 'end']))
  })
})
