import type { ConversionRoute } from '@lathe/contract'
import { expect, it } from 'vitest'
import { completed, importFixture, newClient, outputOf } from '../scenario.ts'

it('a pair without a direct engine is converted in several steps, which can be queried and are reported [D-http-78]', async () => {
  const api = await newClient()
  const { status, body } = await api.get<ConversionRoute>('/v1/query/routes?from=eml&to=md')
  expect(status).toBe(200)
  expect(body).toMatchObject({ from: 'eml', to: 'md', direct: false })
  const [first, last] = [body.steps[0], body.steps.at(-1)]
  expect([first?.engine, last?.engine]).toEqual(['mail', 'pandoc'])

  const input = (await importFixture(api, 'message.eml')).id
  const task = completed(await api.run('convert', { input, output_format: 'md' }))
  expect(task.result.files?.[0]?.filename).toBe('message.md')
  expect(task.result.warnings?.[0]).toContain(
    `No engine converts eml to md directly. It was done in ${body.steps.length}`,
  )
  const text = (await outputOf(api, task)).toString()
  const html = completed(await api.run('convert', { input, output_format: 'html' }))
  const words = (await outputOf(api, html))
    .toString()
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .match(/\p{L}{4,}/gu)
  expect(words?.length).toBeGreaterThan(5)
  for (const word of words ?? []) expect(text).toContain(word)
})

it('a direct conversion is one step, and a pair that is not offered is refused by name', async () => {
  const api = await newClient()
  const { body } = await api.get<ConversionRoute>('/v1/query/routes?from=docx&to=pdf')
  expect(body).toMatchObject({ direct: true, steps: [{ engine: 'office' }] })
  const refused = await api.get('/v1/query/routes?from=mp3&to=docx')
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ errors: [{ path: 'to' }] })
})
