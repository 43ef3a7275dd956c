import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { waitFor } from '@lathe/testing'
import { expect, it } from 'vitest'
import { startBalancer } from './balancer.ts'

interface Upstream extends AsyncDisposable {
  readonly server: Server
  readonly url: string
  status: number
  readonly served: string[]
}

/** An api that tells what it was sent, breaks off at `/cut`, and is as ready as it is told to be. */
async function startUpstream(name: string): Promise<Upstream> {
  const served: string[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/readyz') return void response.writeHead(upstream.status).end('ready')
    served.push(request.url ?? '')
    if (request.url === '/cut') return void request.socket.destroy()
    response.writeHead(201, { 'x-name': name }).end(`${request.method} ${await text(request)}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upstream = {
    server,
    url,
    status: 200,
    served,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return upstream
}

it('sends requests to ready servers in turn, and forwards responses unchanged', async () => {
  await using one = await startUpstream('one')
  await using two = await startUpstream('two')
  await using balancer = await startBalancer()
  await Promise.all([balancer.add(one.url), balancer.add(two.url)])
  const send = () => fetch(`${balancer.url}/x`, { method: 'POST', body: 'hello' })
  const answers = [await send(), await send()]
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['POST hello', 'POST hello'])
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(new Set(answers.map(({ headers }) => headers.get('x-name')))).toEqual(new Set(['one', 'two']))

  one.status = 503
  const isLeftOut = async () =>
    (await Promise.all([send(), send()])).every(({ headers }) => headers.get('x-name') === 'two')
  await waitFor(isLeftOut, { withinMs: 5_000, everyMs: 50 })
})

it('tries another server only if the first refused the connection', async () => {
  await using one = await startUpstream('one')
  await using two = await startUpstream('two')
  await using balancer = await startBalancer()
  await Promise.all([balancer.add(one.url), balancer.add(two.url)])
  const cut = await fetch(`${balancer.url}/cut`, { method: 'POST', body: 'once' })
  expect(cut.status).toBe(502)
  expect([...one.served, ...two.served]).toEqual(['/cut'])

  await one[Symbol.asyncDispose]()
  for (let n = 0; n < 4; n += 1) expect((await fetch(`${balancer.url}/y`)).headers.get('x-name')).toBe('two')
  balancer.remove(two.url)
  const none = await fetch(`${balancer.url}/z`)
  expect(none.status).toBe(503)
})
