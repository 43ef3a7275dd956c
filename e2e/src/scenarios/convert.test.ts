import { gzipSync } from 'node:zlib'
import type { FormatList, Task } from '@lathe/contract'
import { detectFormat } from '@lathe/formats'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { FixtureName } from '../../../fixtures/fixtures.ts'
import type { Client } from '../client.ts'
import { openOutput } from '../outputs.ts'
import { completed, importFixture, newClient, outputOf } from '../scenario.ts'

/** A real file of every format that can be read; its size in pixels is known. */
const samples: Readonly<Record<string, { fixture: FixtureName; width: number; height: number }>> = {
  jpg: { fixture: 'photo-40k.jpg', width: 640, height: 480 },
  png: { fixture: 'alpha.png', width: 200, height: 150 },
  webp: { fixture: 'photo.webp', width: 640, height: 480 },
  avif: { fixture: 'photo.avif', width: 320, height: 240 },
  gif: { fixture: 'animated.gif', width: 120, height: 90 },
  tiff: { fixture: 'photo.tiff', width: 200, height: 150 },
  svg: { fixture: 'text.svg', width: 240, height: 120 },
}

let api: Client
const imported = new Map<string, Promise<Task>>()
beforeAll(async () => {
  api = await newClient()
})

async function listFormats(query: string): Promise<string[]> {
  const { body } = await api.get<FormatList>(`/v1/query/formats/convert?${query}`)
  return body.formats.map(({ ext }) => ext)
}

function imports(format: string, fixture: FixtureName): Promise<Task> {
  const task = imported.get(format) ?? importFixture(api, fixture)
  imported.set(format, task)
  return task
}

describe('convert', () => {
  it.each(Object.entries(samples))(
    'converts %s to every common image format and to PDF [S-gen-05]',
    async (from, sample) => {
      const { fixture, width, height } = sample
      const source = await imports(from, fixture)
      const possible = await listFormats(`input_format=${from}`)
      const targets = [...Object.keys(samples), 'pdf'].filter((to) => to !== 'svg')
      expect(possible).toEqual(expect.arrayContaining(targets))
      const tasks = await Promise.all(
        targets.map((to) => api.create('convert', { input: source.id, input_format: from, output_format: to })),
      )
      for (const [i, to] of targets.entries()) {
        const task = completed(await api.endedTask(tasks[i]?.id ?? ''))
        expect(task.result.files?.[0]?.filename).toBe(fixture.replace(/\.[^.]+$/, `.${to}`))
        const opened = await openOutput(await outputOf(api, task))
        expect(opened, `${from} → ${to}`).toMatchObject(
          to === 'pdf' ? { format: 'pdf' } : { format: to, width, height },
        )
      }
    },
  )

  it.each([
    ['letter.docx', 'pdf', 'pdf'],
    ['table.xlsx', 'csv', 'txt'],
    ['two-pages.pdf', 'png', 'png'],
    ['clip.mp4', 'mp3', 'mp3'],
    ['photo-40k.jpg', 'heic', 'heic'],
  ] as const)('converts %s to %s: every engine works', async (fixture, to, detected) => {
    const source = await importFixture(api, fixture)
    const task = completed(await api.run('convert', { input: source.id, output_format: to }))
    const [file] = task.result.files ?? []
    expect(detectFormat(await api.download(file?.url ?? ''))?.ext).toBe(detected)
  })

  it.each([
    ['as its name says', 'drawing.svgz', {}],
    ['under any name', 'drawing.gz', {}],
    ['as declared', 'drawing.bin', { input_format: 'svgz' }],
  ])('renders a compressed SVG %s, with the same checks of its content', async (_, filename, more) => {
    const entity = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><text y="15">&x;</text></svg>'
    const file = `data:application/gzip;base64,${gzipSync(entity + drawing).toString('base64')}`
    const source = await api.run('import/base64', { file, filename })
    const task = completed(await api.run('convert', { input: source.id, output_format: 'png', ...more }))
    const png = await outputOf(api, task)
    expect(await openOutput(png)).toMatchObject({ format: 'png', width: 30, height: 20 })
    // Nothing but the entity would be drawn.
    expect((await sharp(png).ensureAlpha().stats()).channels[3]?.max).toBe(0)
  })

  it('keeps the frames of an animation if the target format has frames', async () => {
    const source = await imports('gif', 'animated.gif')
    const webp = await api.run('convert', { input: source.id, output_format: 'webp' })
    expect(await openOutput(await outputOf(api, webp))).toMatchObject({ format: 'webp', pages: 4 })
  })

  it('re-encodes a file into its own format [D-op-23]', async () => {
    const source = await imports('jpg', 'photo-40k.jpg')
    const again = await api.run('convert', { input: source.id, output_format: 'jpg', options: { quality: 20 } })
    expect((await outputOf(api, again)).length).toBeLessThan(source.result.files?.[0]?.size ?? 0)
  })

  it('rotates a photo upright', async () => {
    const source = await importFixture(api, 'rotated-exif.jpg')
    const png = await api.run('convert', { input: source.id, output_format: 'png' })
    expect(await openOutput(await outputOf(api, png))).toMatchObject({ width: 200, height: 320 })
  })

  it('accepts formats in any case and by their aliases', async () => {
    const source = await imports('jpg', 'photo-40k.jpg')
    const task = await api.run('convert', { input: source.id, input_format: 'JPEG', output_format: '.PNG' })
    expect(completed(task).result.files?.[0]?.filename).toBe('photo-40k.png')
  })

  it('names its output as requested', async () => {
    const source = await imports('jpg', 'photo-40k.jpg')
    const task = await api.run('convert', { input: source.id, output_format: 'png', filename: 'cover.png' })
    expect(completed(task).result.files?.[0]?.filename).toBe('cover.png')
  })

  it('needs an input and an output format', async () => {
    const { status, errors } = await api.refused('POST', '/v1/process/convert', { json: {} })
    expect(status).toBe(400)
    expect(errors?.map(({ path }) => path)).toEqual(expect.arrayContaining(['input', 'output_format']))
  })

  it('is refused for a pair that no engine knows, and says what is possible', async () => {
    const source = await imports('jpg', 'photo-40k.jpg')
    const json = { input: source.id, input_format: 'jpg', output_format: 'docx' }
    const { status, msg } = await api.refused('POST', '/v1/process/convert', { json })
    expect(status).toBe(400)
    expect(msg).toContain('webp')
  })

  it('refuses an output format that nothing can be converted to', async () => {
    const source = await imports('jpg', 'photo-40k.jpg')
    const json = { input: source.id, output_format: 'zip' }
    expect((await api.refused('POST', '/v1/process/convert', { json })).errors?.[0]?.path).toBe('output_format')
  })

  it('fails with unsupported when only the file shows that the pair is impossible [S-err-17, D-op-20]', async () => {
    const source = await importFixture(api, 'two-pages.pdf')
    const task = await api.run('convert', { input: source.id, output_format: 'mp3' })
    expect(task).toMatchObject({ status: 'failed', result: { errorCode: 'processing_failed', reason: 'unsupported' } })
  })

  it('detects the format from the content, and warns if another one was declared [D-op-17]', async () => {
    const source = await importFixture(api, 'alpha.png', 'photo.jpg')
    const task = await api.run('convert', { input: source.id, input_format: 'jpg', output_format: 'webp' })
    expect(completed(task).result.warnings).toEqual([expect.stringMatching(/jpg.*png/)])
  })
})
