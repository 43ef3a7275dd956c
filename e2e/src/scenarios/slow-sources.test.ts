import { setInterval } from 'node:timers'
import { waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { startFileServer } from '../file-server.ts'
import { completed, dataBody, newClient } from '../scenario.ts'

it('S2: slow sources of one owner and its teams do not stop the imports and exports of others', async () => {
  await using server = await startFileServer({
    '/slow': (_, response) => {
      response.writeHead(200, { 'content-length': '5000000000' })
      const timer = setInterval(() => response.write(Buffer.alloc(200)), 100)
      response.once('close', () => clearInterval(timer))
    },
  })
  const hostile = await Promise.all([1, 2, 3].map(() => newClient({ slots: 10 })))
  const url = `${server.url}/slow`
  const slow = (
    await Promise.all(
      hostile.map((api) => Promise.all(Array.from({ length: 10 }, () => api.create('import/url', { url })))),
    )
  ).map((tasks, n) => ({ api: hostile[n], tasks }))
  // Two workers with two engines each, or one, have 16 or more slots.
  await waitFor(() => (server.visits.get('/slow') ?? 0) >= 16, { withinMs: 60_000, what: '16 slow transfers' })

  const bob = await newClient()
  const file = completed(await bob.run('import/base64', dataBody(Buffer.from('hello'), 'a.txt')))
  completed(await bob.run('export/url', { input: file.id }))
  for (const { api, tasks } of slow) {
    for (const { id } of tasks) {
      const { status } = (await api?.task(id)) ?? {}
      expect(status).not.toBe('completed')
      await api?.post(`/v1/process/tasks/${id}/cancel`)
    }
  }
})
