import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the kernel's ephemeral port range: there, any outgoing connection could take the port of a server that is about
// to start or restart.
const [lowest, highest] = [10_000, 32_000]

/** A loopback port that is free right now. */
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
