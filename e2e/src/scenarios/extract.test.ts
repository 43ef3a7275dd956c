import type { FormatList, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { tarOf } from '../../../fixtures/attacks/archives.ts'
import { zipOf } from '../../../fixtures/attacks/zip.ts'
import { openZip } from '../outputs.ts'
import { completed, fixture, newClient, outputOf } from '../scenario.ts'

it('extract returns the files of an archive, which other tasks can use', async () => {
  const api = await newClient()
  const { body } = await api.get<FormatList>('/v1/query/formats/extract')
  const formats = body.formats.map(({ ext }) => ext)
  expect(formats).toEqual(expect.arrayContaining(['zip', '7z', 'rar', 'iso', 'tar', 'tar.gz', 'tgz', 'gz', 'xz']))
  const set = await api.get<OptionSet>('/v1/query/options/extract?input_format=zip')
  expect(set.body.options.map(({ name }) => name)).toEqual(['only', 'folders', 'strict', 'password'])

  const members = [
    // The bytes say what it is, whatever it is called.
    { name: 'album/day 1/photo.txt', content: fixture('photo-100k.jpg'), store: true },
    { name: '../../note.md', content: '# Note' },
  ]
  const input = (await api.importBytes(zipOf(members), 'holiday.zip')).id
  const task = completed(await api.run('extract', { input }))
  expect(task.result.files).toMatchObject([{ filename: 'photo.txt', folder: 'album/day 1' }, { filename: 'note.md' }])
  expect(task.result.files?.[1]).not.toHaveProperty('folder')
  const all = await openZip(await api.download(task.result.url))
  expect([...all.keys()].sort()).toEqual(['album/day 1/photo.txt', 'note.md'])

  const chosen = completed(await api.run('extract', { input, options: { only: '*.txt' } }))
  const converted = completed(await api.run('convert', { input: chosen.id, output_format: 'png' }))
  expect((await outputOf(api, converted)).subarray(1, 4).toString()).toBe('PNG')
})

it('extract explains what is wrong with its input', async () => {
  const api = await newClient()
  const tar = (await api.importBytes(tarOf([{ name: 'l', type: '2', target: '/etc/passwd' }]), 'links.tar')).id
  expect(await api.run('extract', { input: tar })).toMatchObject({
    status: 'failed',
    result: { reason: 'no_files', msg: 'The archive holds no files.' },
  })
  const photo = (await api.importBytes(fixture('photo-100k.jpg'), 'photo.zip')).id
  expect(await api.run('extract', { input: photo })).toMatchObject({
    status: 'failed',
    result: { reason: 'unsupported' },
  })
  const { body } = await api.post<{ errors: object[] }>('/v1/process/extract', { input: tar, output_format: 'zip' })
  expect(body.errors).toEqual([expect.objectContaining({ path: 'output_format' })])
})
