import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SignInProxy, startSignInProxy } from './sign-in-proxy.ts'

const own = new AsyncDisposableStack()
let proxy: SignInProxy

beforeAll(async () => {
  const server = createServer((request, response) => {
    const { socket, headers, method } = request
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ from: socket.remoteAddress, user: headers['remote-user'], method }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  own.defer(() => void server.close())
  proxy = own.use(await startSignInProxy({ address: '127.0.0.2', header: 'Remote-User' }))
  proxy.pointTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(() => own.disposeAsync())

it('names the user from its own address, ignoring claims of the client', async () => {
  proxy.signIn('ada')
  const claims = { headers: { 'Remote-User': 'root' } }
  const named = await fetch(proxy.url, { ...claims, method: 'POST', body: 'x' })
  expect(await named.json()).toEqual({ from: '127.0.0.2', user: 'ada', method: 'POST' })
  expect(named.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  proxy.signIn(undefined)
  expect(await (await fetch(proxy.url, claims)).json()).toEqual({ from: '127.0.0.2', method: 'GET' })
})
