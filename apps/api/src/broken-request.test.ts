import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { silentLog } from '@lathe/runtime'
import { expect, it } from 'vitest'
import { answerBrokenRequests } from './broken-request.ts'

/** What a client receives that has sent these bytes when its headers are late. */
async function lateAfter(sent: string): Promise<string> {
  const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const refuse = (socket: Socket) => answerBrokenRequests(silentLog)(error, socket)
  const server = createServer((socket) => (sent === '' ? refuse(socket) : socket.once('data', () => refuse(socket))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const client = connect(port, '127.0.0.1', () => client.write(sent))
  const received = await readText(client)
  server.close()
  return received
}

it('a request whose headers are late is refused with the reason', async () => {
  expect(await lateAfter('GET / HTTP/1.1\r\nHost:')).toContain('The headers of the request did not arrive in time.')
})

it('a connection on which nothing was sent is closed without an answer', async () => {
  expect(await lateAfter('')).toBe('')
})
