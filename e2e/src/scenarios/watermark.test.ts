import type { FormatList, Job, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { completed, fixture, newClient } from '../scenario.ts'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="60" height="30" fill="#f00"/></svg>'
const photo = fixture('photo-100k.jpg')

it('watermark places an image of another task, or a text, on every file', async () => {
  const api = await newClient()
  const { body: list } = await api.get<FormatList>('/v1/query/formats/watermark?input_format=pdf')
  expect(list.formats.map(({ ext }) => ext)).toContain('pdf')
  const { body: set } = await api.get<OptionSet>('/v1/query/options/watermark?input_format=jpg')
  expect(set.options.slice(0, 3).map(({ name }) => name)).toEqual(['text', 'color', 'position'])
  const overlay = (await api.importBytes(Buffer.from(logo), 'logo.svg')).id
  const input = [(await api.importBytes(photo, 'a.jpg')).id, (await api.importBytes(photo, 'b.jpg')).id]
  const task = completed(await api.run('watermark', { input, overlay, options: { position: 'tile', size: 20 } }))
  expect(task).toMatchObject({ dependsOn: [...input, overlay], payload: { overlay } })
  expect(task.result.files).toMatchObject([{ filename: 'a.jpg' }, { filename: 'b.jpg' }])
  expect((await api.download(task.result.files?.[0]?.url)).equals(photo)).toBe(false)

  const again = await api.post<{ id: string }>(`/v1/process/tasks/${task.id}/run-again`, {})
  expect([again.status, again.body]).toEqual([201, expect.objectContaining({ dependsOn: [...input, overlay] })])
  completed(await api.run('watermark', { input, options: { text: 'Draft' } }))
})

it('watermark waits for its overlay within a job, and reports an invalid one', async () => {
  const api = await newClient()
  const tasks = {
    photo: {
      operation: 'import/base64',
      file: `data:image/jpeg;base64,${photo.toString('base64')}`,
      filename: 'a.jpg',
    },
    svg: { operation: 'import/base64', file: `data:image/svg+xml;base64,${btoa(logo)}`, filename: 'logo.svg' },
    logo: { operation: 'convert', input: 'svg', output_format: 'png' },
    marked: { operation: 'watermark', input: 'photo', overlay: 'logo' },
  }
  const made = await api.post<Job>('/v1/process/jobs', { tasks })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { body: job } = await api.get<Job>(`/v1/process/jobs/${made.body.id}`, { prefer: 'wait=60' })
  expect(job.status, JSON.stringify(job)).toBe('completed')

  const input = (await api.importBytes(photo, 'a.jpg')).id
  const text = (await api.importBytes(Buffer.from('no image'), 'note.txt')).id
  expect(await api.run('watermark', { input, overlay: text })).toMatchObject({
    status: 'failed',
    result: { reason: 'unsupported', msg: expect.stringMatching(/^The overlay: It is .*\(txt\)\. Possible: png, jpg/) },
  })
  const none = await api.post<{ errors: object[] }>('/v1/process/watermark', { input })
  expect(none.body.errors).toEqual([expect.objectContaining({ path: 'options', code: 'required' })])
})
