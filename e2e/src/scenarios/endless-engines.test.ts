import { waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { completed, dataBody, importFixture, newClient } from '../scenario.ts'

it('F: endless conversions of a person and its teams, expected to be quick, do not stop those of others', async () => {
  const endless = dataBody(Buffer.from('%!PS\n{} loop\n'), 'endless.ps')
  const hostile = await Promise.all([1, 2, 3, 4].map(() => newClient({ slots: 3 })))
  const running = await Promise.all(
    hostile.map(async (api) => {
      const file = completed(await api.run('import/base64', endless))
      const convert = () => api.create('convert', { input: file.id, output_format: 'pdf' })
      return { api, tasks: await Promise.all([convert(), convert(), convert()]) }
    }),
  )
  const statuses = async () =>
    (await Promise.all(running.flatMap(({ api, tasks }) => tasks.map(({ id }) => api.task(id))))).map(
      ({ status }) => status,
    )
  await waitFor(async () => (await statuses()).filter((status) => status === 'processing').length >= 2, {
    withinMs: 60_000,
    what: 'two endless conversions',
  })

  const bob = await newClient()
  const image = await importFixture(bob, 'alpha.png')
  for (const to of ['webp', 'jpg']) completed(await bob.run('convert', { input: image.id, output_format: to }))
  expect((await statuses()).filter((status) => status === 'completed')).toEqual([])
  for (const { api, tasks } of running) {
    for (const { id } of tasks) await api.post(`/v1/process/tasks/${id}/cancel`)
  }
})
