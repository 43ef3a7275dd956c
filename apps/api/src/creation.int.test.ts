import { promisify } from 'node:util'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from './testing/start-api.ts'

let api: TestApi
let url: string
let headers: Record<string, string>
let puts = 0
let erased: string[] = []
let release = () => {}

beforeAll(async () => {
  api = await startApi({
    replace: ({ store }) => ({
      store: {
        ...store,
        // A store that stores, but answers only when it is told to.
        async put(...args) {
          const { promise, resolve } = Promise.withResolvers<void>()
          release = resolve
          puts += 1
          const stored = await store.put(...args)
          await promise
          return stored
        },
        delete(keys) {
          erased = [...erased, ...keys]
          return store.delete(keys)
        },
      },
    }),
  })
  const { headers: authorization } = await api.createKey()
  headers = { ...authorization, 'content-type': 'application/json' }
  url = await api.app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => api[Symbol.asyncDispose]())

const withinMs = 10_000
const countConnections = () => promisify(api.app.server.getConnections.bind(api.app.server))()

async function countTasks(): Promise<number> {
  const { rows } = await api.services.database.pool.query<{ count: number }>('select count(*)::int from tasks')
  return rows[0]?.count ?? -1
}

describe('a client that disconnects before its task was created', () => {
  const file = `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`
  const bodies = {
    '/v1/process/import/base64': { file, filename: 'hello.txt' },
    '/v1/process/jobs': { tasks: { take: { operation: 'import/base64', file, filename: 'hello.txt' } } },
  }

  it.each(Object.entries(bodies))('creates nothing by %s, and keeps none of its content', async (path, body) => {
    const [putsBefore, tasksBefore, erasedBefore] = [puts, await countTasks(), erased.length]
    const leave = new AbortController()
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const sent = fetch(`${url}${path}`, { ...request, signal: leave.signal })
    await waitFor(() => puts > putsBefore, { withinMs, what: 'the content at the store' })
    leave.abort()
    await expect(sent).rejects.toThrow('abort')
    await waitFor(async () => (await countConnections()) === 0, { withinMs, what: 'the end of the connection' })
    release()
    await waitFor(() => erased.length > erasedBefore, { withinMs, what: 'the end of the content' })
    expect(await countTasks()).toBe(tasksBefore)
  })

  it('does not affect other clients', async () => {
    const body = JSON.stringify(bodies['/v1/process/import/base64'])
    const putsBefore = puts
    const sent = fetch(`${url}/v1/process/import/base64`, { method: 'POST', headers, body })
    await waitFor(() => puts > putsBefore, { withinMs, what: 'the content at the store' })
    release()
    expect((await sent).status).toBe(201)
  })
})
