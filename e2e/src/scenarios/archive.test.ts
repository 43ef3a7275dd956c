import type { FormatList, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { openZip } from '../outputs.ts'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'

it('archive packs files of any format, and extract restores them', async () => {
  const api = await newClient()
  const { body: list } = await api.get<FormatList>('/v1/query/formats/archive?input_format=docx')
  expect(list.formats.map(({ ext }) => ext)).toEqual(expect.arrayContaining(['zip', '7z', 'tar.gz']))
  const { body: set } = await api.get<OptionSet>('/v1/query/options/archive?input_format=jpg&output_format=zip')
  expect(set.options.map(({ name }) => name)).toEqual(['level', 'folders', 'password'])
  const photo = fixture('photo-100k.jpg')
  const unknown = Buffer.from('\u0000\u0001 of no known format')
  const input = [
    (await api.importBytes(photo, 'photo.jpg')).id,
    (await api.importBytes(unknown, 'program.exe')).id,
    (await api.importBytes(photo, 'photo.jpg')).id,
  ]
  const task = completed(await api.run('archive', { input, filename: 'all.zip' }))
  expect(task.result.files).toMatchObject([{ filename: 'all.zip' }])
  const files = await openZip(await outputOf(api, task))
  expect([...files.keys()].sort()).toEqual(['photo-2.jpg', 'photo.jpg', 'program.exe'])

  const tar = completed(await api.run('archive', { input: input.slice(0, 2), output_format: 'tar.xz' }))
  const back = completed(await api.run('extract', { input: tar.id }))
  expect(back.result.files).toMatchObject([{ filename: 'photo.jpg', size: photo.length }, { filename: 'program.exe' }])
})
