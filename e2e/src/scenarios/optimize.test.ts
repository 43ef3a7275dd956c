import type { FormatList, OptionSet } from '@lathe/contract'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { completed, fixture, importFixture, newClient, outputOf } from '../scenario.ts'

it('optimize returns the smallest web format, with the name of its input', async () => {
  const api = await newClient()
  const { body } = await api.get<FormatList>('/v1/query/formats/optimize')
  expect(body.formats.map(({ ext }) => ext)).toEqual(
    expect.arrayContaining(['jpg', 'png', 'gif', 'heic', 'svg', 'raw']),
  )
  const set = await api.get<OptionSet>('/v1/query/options/optimize?input_format=png')
  const names = ['similarity', 'formats', 'width', 'height', 'background', 'strict']
  expect(set.body.options.map(({ name }) => name)).toEqual(names)

  const input = (await importFixture(api, 'alpha.png')).id
  const small = completed(await api.run('optimize', { input, options: { formats: 'webp,jpg' } }))
  expect(small.result.files?.[0]?.filename).toBe('alpha.webp')
  const bytes = await outputOf(api, small)
  expect((await sharp(bytes).metadata()).format).toBe('webp')
  expect(bytes.length).toBeLessThan(fixture('alpha.png').length)

  // A result has a format that other tasks can rely on.
  const back = completed(await api.run('convert', { input: small.id, output_format: 'png' }))
  expect((await sharp(await outputOf(api, back)).metadata()).format).toBe('png')

  const again = completed(await api.run('optimize', { input: small.id, options: { similarity: 'identical' } }))
  expect(again.result.files?.[0]?.filename).toMatch(/^alpha\.(?:webp|png)$/)
})

it('optimize explains what is wrong with its input', async () => {
  const api = await newClient()
  const input = (await importFixture(api, 'animated.gif')).id
  expect(await api.run('optimize', { input, options: { formats: 'jpg' } })).toMatchObject({
    status: 'failed',
    result: { reason: 'unsupported', msg: expect.stringContaining('Allow webp') },
  })
  const refused = await api.post<{ errors: { path: string; msg: string }[] }>('/v1/process/optimize', {
    input,
    input_format: 'gif',
    options: { similarity: 'best', formats: 'gif' },
  })
  expect(refused.body.errors.map(({ path }) => path)).toEqual(['options.similarity', 'options.formats'])
  expect(refused.body.errors[0]?.msg).toContain('identical, high, good, small')
})
