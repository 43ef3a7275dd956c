import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { KeyOptions, Stack } from '@lathe/testing'

export interface KeyDesk extends AsyncDisposable {
  readonly url: string
}

type KeyRequest = KeyOptions & { readonly revoke?: string }

/** Creates and revokes API keys over loopback: scenarios run in separate processes and know no secret. */
export async function startKeyDesk(stack: Pick<Stack, 'createKey' | 'revokeKey'>): Promise<KeyDesk> {
  const answer = async (wanted: KeyRequest) =>
    wanted.revoke ? stack.revokeKey(wanted.revoke) : stack.createKey(wanted)
  const server = createServer(async (request, response) => {
    try {
      const made = await answer((await json(request)) as KeyRequest)
      response.end(JSON.stringify(made ?? {}))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
