import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy on loopback that tells the service behind it who is signed in. */
export interface SignInProxy extends AsyncDisposable {
  readonly url: string
  /** Forwards requests to this service from now on. */
  pointTo(url: string): void
  /** From now on, requests are of this user; of nobody if undefined. */
  signIn(user: string | undefined): void
}

/** How the service recognizes the proxy. */
interface SignInProxyOptions {
  /** The loopback address it connects from: that of a test is another one. */
  readonly address: string
  readonly header: string
}

/** Starts a proxy like Authelia or oauth2-proxy: it removes the header of clients and adds its own. */
export async function startSignInProxy({ address, header }: SignInProxyOptions): Promise<SignInProxy> {
  let target = ''
  let user: string | undefined
  const name = header.toLowerCase()
  const server = createServer((asked, answer) => {
    const { [name]: _ofClient, ...headers } = asked.headers
    const options = {
      method: asked.method,
      localAddress: address,
      headers: { ...headers, ...(user !== undefined && { [name]: user }) },
    }
    const forwarded = request(`${target}${asked.url}`, options, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('error', () => answer.destroy())
    })
    forwarded.on('error', () => answer.destroy())
    answer.on('close', () => forwarded.destroy())
    asked.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pointTo(url) {
      target = url
    },
    signIn(next) {
      user = next
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}
