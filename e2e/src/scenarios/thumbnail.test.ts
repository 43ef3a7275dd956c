import type { FormatList, OptionSet } from '@lathe/contract'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { completed, importFixture, newClient, outputOf } from '../scenario.ts'

it('a thumbnail is made of images, documents, videos and recordings', async () => {
  const api = await newClient()
  const { body } = await api.get<FormatList>('/v1/query/formats/thumbnail?output_format=jpg')
  const formats = body.formats.map(({ ext }) => ext)
  expect(formats).toEqual(expect.arrayContaining(['jpg', 'png', 'svg', 'pdf', 'docx', 'xlsx', 'mp4', 'mp3', 'flac']))
  const set = await api.get<OptionSet>('/v1/query/options/thumbnail?input_format=pdf')
  expect(set.body.options.map(({ name }) => name)).toEqual(['width', 'height', 'quality', 'page', 'password'])
  for (const name of ['photo-100k.jpg', 'two-pages.pdf', 'clip.mp4', 'tone.flac'] as const) {
    const input = (await importFixture(api, name)).id
    const task = completed(await api.run('thumbnail', { input, options: { width: 120, height: 120 } }))
    expect(task.result.files?.[0]?.filename).toBe(`${name.split('.')[0]}.jpg`)
    const { width = 0, height = 0 } = await sharp(await outputOf(api, task)).metadata()
    expect(Math.max(width, height), name).toBe(120)
  }
  const input = (await importFixture(api, 'photo-100k.jpg')).id
  const webp = completed(await api.run('thumbnail', { input, output_format: 'webp' }))
  expect(webp.result.files?.[0]?.filename).toBe('photo-100k.webp')
})
