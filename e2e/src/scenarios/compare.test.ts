import type { FormatList, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'

it('compare reports how two versions of a file differ', async () => {
  const api = await newClient()
  const { body: list } = await api.get<FormatList>('/v1/query/formats/compare?input_format=pdf')
  expect(list.formats.map(({ ext }) => ext)).toEqual(expect.arrayContaining(['json', 'png']))
  const { body: set } = await api.get<OptionSet>('/v1/query/options/compare?input_format=pdf&output_format=json')
  expect(set.options.map(({ name }) => name)).toEqual(['tolerance', 'password', 'strict'])
  const photo = (await api.importBytes(fixture('photo-100k.jpg'), 'photo.jpg')).id
  const small = completed(await api.run('compress', { input: photo, options: { quality: 20 } }))
  const task = completed(await api.run('compare', { input: photo, other: small.id }))
  expect(task.result.files).toMatchObject([{ filename: 'photo.json' }])
  const report = JSON.parse(String(await outputOf(api, task))) as Record<string, number>
  expect(report).toMatchObject({ identical: false, kind: 'image', pages: [{ page: 1 }] })
  expect(report.similarity).toBeGreaterThan(0.5)
  const image = completed(await api.run('compare', { input: photo, other: small.id, output_format: 'png' }))
  expect((await outputOf(api, image)).subarray(1, 4).toString()).toBe('PNG')

  const { body } = await api.post<{ errors: object[] }>('/v1/process/compare', { input: photo })
  expect(body.errors).toEqual([expect.objectContaining({ path: 'other', code: 'required' })])
})
