import type { FormatList, OptionSet } from '@lathe/contract'
import { PDFDocument } from 'pdf-lib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { completed, importFixture, newClient, outputOf, outputsOf } from '../scenario.ts'

let api: Client
let input: string
beforeAll(async () => {
  api = await newClient()
  input = (await importFixture(api, 'two-pages.pdf')).id
})

const open = (bytes: Uint8Array) => PDFDocument.load(bytes, { updateMetadata: false })

describe('the operations on pages', () => {
  it.each([
    ['rotate', ['pdf'], ['angle', 'pages']],
    ['reorder', ['pdf'], ['order']],
    ['split', ['pdf', 'tiff', 'mp3', 'mp4'], ['by', 'pages_per_file', 'ranges', 'max_size']],
    ['flatten', ['pdf'], ['password']],
    ['encrypt', ['pdf'], ['output_password', 'owner_password', 'allow_printing']],
    ['decrypt', ['pdf'], ['password']],
    ['ocr', ['pdf', 'jpg', 'png', 'tiff'], ['language']],
  ])('%s is listed with its formats and options', async (operation, formats, options) => {
    const listed = await api.get<FormatList>(`/v1/query/formats/${operation}`)
    expect(listed.body.formats.map(({ ext }) => ext)).toEqual(expect.arrayContaining(formats))
    const pair = operation === 'ocr' ? 'input_format=pdf&output_format=txt' : 'input_format=pdf'
    const set = await api.get<OptionSet>(`/v1/query/options/${operation}?${pair}`)
    expect(set.body.options.map(({ name }) => name)).toEqual(expect.arrayContaining(options))
  })

  it('rotate and reorder', async () => {
    const turned = completed(await api.run('rotate', { input, options: { angle: '180', pages: '2' } }))
    const pages = (await open(await outputOf(api, turned))).getPages()
    expect(pages.map((page) => page.getRotation().angle)).toEqual([0, 180])
    const swapped = completed(await api.run('reorder', { input: turned.id, options: { order: '2,1' } }))
    const after = (await open(await outputOf(api, swapped))).getPages()
    expect(after.map((page) => page.getRotation().angle)).toEqual([180, 0])
  })

  it('split into files that are numbered', async () => {
    const task = completed(await api.run('split', { input }))
    expect(task.result.files?.map(({ filename }) => filename)).toEqual(['two-pages-1.pdf', 'two-pages-2.pdf'])
    for (const bytes of await outputsOf(api, task)) expect((await open(bytes)).getPageCount()).toBe(1)
  })

  it('split recordings and images of several pages', async () => {
    const tone = (await importFixture(api, 'tone.flac')).id
    const sounds = completed(await api.run('split', { input: tone, options: { seconds_per_file: 1 } }))
    expect(sounds.result.files?.map(({ filename }) => filename).slice(0, 2)).toEqual(['tone-1.flac', 'tone-2.flac'])
    const scan = (await importFixture(api, 'pages.tiff')).id
    const pages = completed(await api.run('split', { input: scan, options: { by: 'ranges', ranges: '2,1' } }))
    expect(pages.result.files?.map(({ filename }) => filename)).toEqual(['pages-1.tiff', 'pages-2.tiff'])
  })

  it('encrypt, and decrypt again; the passwords are never shown', async () => {
    const locked = completed(await api.run('encrypt', { input, options: { output_password: 'open sesame' } }))
    expect(JSON.stringify(locked)).not.toContain('sesame')
    const closed = await api.run('rotate', { input: locked.id })
    expect(closed).toMatchObject({ status: 'failed', result: { reason: 'input_encrypted' } })
    const opened = completed(await api.run('decrypt', { input: locked.id, options: { password: 'open sesame' } }))
    expect(JSON.stringify(opened)).not.toContain('sesame')
    expect((await open(await outputOf(api, opened))).getPageCount()).toBe(2)
  })

  it('flatten, and recognize text', async () => {
    completed(await api.run('flatten', { input }))
    const text = completed(await api.run('ocr', { input, output_format: 'txt' }))
    expect(text.result.files?.[0]?.filename).toBe('two-pages.txt')
    expect((await outputOf(api, text)).toString().trim()).not.toBe('')
    const placed = completed(await api.run('ocr', { input, output_format: 'hocr' }))
    expect((await outputOf(api, placed)).toString()).toContain("class='ocrx_word'")
    expect(completed(await api.run('ocr', { input })).result.files?.[0]?.filename).toBe('two-pages.pdf')
  }, 120_000)

  it('say what is missing or wrong', async () => {
    const answer = async (operation: string, body: object) =>
      (await api.post<{ errors: object[] }>(`/v1/process/${operation}`, { input, ...body })).body.errors
    expect(await answer('reorder', { options: {} })).toEqual([
      { path: 'options', code: 'required', msg: 'must say the new order of the pages: order.' },
    ])
    expect(await answer('encrypt', { options: {} })).toEqual([
      expect.objectContaining({ path: 'options', msg: expect.stringContaining('output_password, owner_password') }),
    ])
    expect(await answer('rotate', { options: { angle: '45' } })).toEqual([
      expect.objectContaining({ path: 'options.angle' }),
    ])
    expect(await answer('split', { input_format: 'docx' })).toEqual([expect.objectContaining({ path: 'input_format' })])
    expect(await answer('rotate', { input_format: 'pdf', output_format: 'png' })).toEqual([
      expect.objectContaining({ path: 'output_format', code: 'conflict' }),
    ])
  })
})
