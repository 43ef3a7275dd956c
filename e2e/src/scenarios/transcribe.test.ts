import type { FormatList, OptionSet } from '@lathe/contract'
import { expect, it } from 'vitest'
import { completed, importFixture, newClient, outputOf } from '../scenario.ts'

it('recordings are transcribed as text, subtitles and JSON [D-op-86]', async () => {
  const api = await newClient()
  const { body } = await api.get<FormatList>('/v1/query/formats/transcribe?input_format=mp4')
  expect(body.formats.map(({ ext }) => ext)).toEqual(expect.arrayContaining(['json', 'srt', 'txt', 'vtt']))
  const set = await api.get<OptionSet>('/v1/query/options/transcribe?input_format=mp4&output_format=srt')
  expect(set.body.options.map(({ name }) => name)).toEqual(['language', 'strict'])

  const input = (await importFixture(api, 'speech.opus')).id
  const task = completed(await api.run('transcribe', { input }))
  expect(task.result.files).toMatchObject([{ filename: 'speech.txt' }])
  expect(task.result.warnings).toEqual([expect.stringContaining('Expect errors')])
  expect(String(await outputOf(api, task))).toMatch(/office|tomorrow|morning|manager/)
  const timed = completed(await api.run('transcribe', { input, output_format: 'json', options: { language: 'en-US' } }))
  const { words } = JSON.parse(String(await outputOf(api, timed)))
  expect(words[0]).toMatchObject({ word: expect.any(String), start: expect.any(Number), end: expect.any(Number) })
})

it('a recording without speech has an empty transcript, and an image none [D-op-87]', async () => {
  const api = await newClient()
  const tone = (await importFixture(api, 'tone.flac')).id
  const task = completed(await api.run('transcribe', { input: tone, output_format: 'srt' }))
  expect(task.result.warnings).toContainEqual(expect.stringContaining('No speech was recognized'))
  const photo = (await importFixture(api, 'photo-40k.jpg')).id
  const { status } = await api.post('/v1/process/transcribe', { input: photo, input_format: 'jpg' })
  expect(status).toBe(400)
})
