import type { FormatList, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'

it('metadata is JSON by default, and the format of the input to change it', async () => {
  const api = await newClient()
  const { body } = await api.get<FormatList>('/v1/query/formats/metadata?input_format=jpg')
  expect(body.formats.map(({ ext }) => ext)).toEqual(expect.arrayContaining(['json', 'jpg']))
  const set = await api.get<OptionSet>('/v1/query/options/metadata?input_format=jpg&output_format=jpg')
  expect(set.body.options.map(({ name }) => name)).toEqual(expect.arrayContaining(['remove', 'title', 'date']))

  const input = (await api.importBytes(fixture('rotated-exif.jpg'), 'photo.jpg')).id
  const task = completed(await api.run('metadata', { input }))
  expect(task.result.files).toMatchObject([{ filename: 'photo.json' }])
  const found = JSON.parse((await outputOf(api, task)).toString())
  expect(found).toMatchObject({ File: { FileType: 'JPEG' }, EXIF: { Orientation: 'Rotate 90 CW' } })

  const options = { title: 'Tïtle "<=@x"', keywords: 'a, b' }
  const changed = completed(await api.run('metadata', { input, output_format: 'jpg', options }))
  const again = completed(await api.run('metadata', { input: changed.id }))
  const { XMP } = JSON.parse((await outputOf(api, again)).toString())
  expect(XMP).toMatchObject({ Title: 'Tïtle "<=@x"', Subject: ['a', 'b'] })
})

it('metadata explains missing and wrong options', async () => {
  const api = await newClient()
  const input = (await api.importBytes(fixture('photo-100k.jpg'), 'photo.jpg')).id
  const send = async (options: object | undefined, output_format = 'jpg') => {
    const { status, body } = await api.post<{ errors: { path: string; msg: string }[] }>('/v1/process/metadata', {
      input,
      input_format: 'jpg',
      output_format,
      ...(options && { options }),
    })
    return { status, paths: body.errors?.map(({ path }) => path), msg: body.errors?.[0]?.msg }
  }
  expect(await send(undefined)).toMatchObject({
    status: 400,
    paths: ['options'],
    msg: expect.stringContaining('title'),
  })
  expect(await send({ title: 'a\nb' })).toMatchObject({ status: 400, paths: ['options.title'] })
  expect(await send({ date: '31.5.2024' })).toMatchObject({ status: 400, paths: ['options.date'] })
  expect(await send({ title: 'x' }, 'png')).toMatchObject({ status: 400 })
})
