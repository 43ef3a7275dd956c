// @ts-check
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

/**
 * Lets a browser, which knows proxies by TCP alone, reach the one behind a socket file: the only way out of the sandbox.
 * It listens on the loopback device of the sandbox's own network namespace. Until it knows a socket file, it closes connections.
 *
 * @returns {Promise<{ port: number, leadTo: (path: string) => void, close: () => void }>}
 */
export async function openForwarder() {
  /** @type {string | undefined} */
  let path
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (path === undefined) return void near.destroy()
    const far = connect({ path, allowHalfOpen: true })
    // A connection that breaks is the browser's to notice.
    pipeline(near, far, () => {})
    pipeline(far, near, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the forwarder has no port')
  const leadTo = (/** @type {string} */ to) => {
    path = to
  }
  return { port: address.port, leadTo, close: () => void server.close() }
}
