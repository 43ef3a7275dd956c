import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range the kernel hands out: there a connection of anybody's could take the port of a server that is just
// starting, or of one that was ended to be started again.
const [lowest, highest] = [10_000, 32_000]

/** A loopback port that nobody listens on right now. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
