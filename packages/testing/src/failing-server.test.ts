import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startFailingServer } from './failing-server.ts'
import { waitFor } from './wait-for.ts'

it('survives a client that goes away in the middle of its request', async () => {
  let answers = 0
  await using server = await startFailingServer((_, response) => {
    answers += 1
    response.end()
  })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf')
  await waitFor(() => server.seen.length === 1, { withinMs: 5_000, what: 'the request' })
  socket.destroy()
  await once(socket, 'close')
  expect((await fetch(server.url)).status).toBe(200)
  expect(answers).toBe(1)
})
