import { once } from 'node:events'
import { chmod, chown, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { type HostParts, serveHost } from './serve-host.ts'

export interface HostListener extends AsyncDisposable {
  /** Accepts no more workers, and waits up to `ms` until the current worker has disconnected. */
  drain(ms: number): Promise<void>
}

export interface HostAddress {
  readonly path: string
  /** The group whose workers may connect, in addition to those of the host's own user. */
  readonly gid?: number | undefined
}

/** Serves workers on a socket file, one at a time. Only its owner and one group may connect. */
export async function listenHost(parts: HostParts, { path, gid }: HostAddress): Promise<HostListener> {
  let served: { readonly socket: Socket; readonly ended: Promise<void> } | undefined
  const server = createServer((socket) => {
    // The worker tries again: the previous connection may have died just now.
    if (served) return void socket.destroy()
    const ended = serveHost(parts, socket).finally(() => {
      served = undefined
    })
    served = { socket, ended }
  })
  await rm(path, { force: true })
  const umask = process.umask(0o177)
  await once(server.listen(path), 'listening').finally(() => process.umask(umask))
  if (gid !== undefined) {
    await chown(path, process.getuid?.() ?? 0, gid)
    await chmod(path, 0o660)
  }
  return {
    async drain(ms) {
      server.close()
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, ms)
      await Promise.race([served?.ended, promise])
      clearTimeout(timer)
    },
    async [Symbol.asyncDispose]() {
      server.close()
      served?.socket.destroy()
      await served?.ended
      await rm(path, { force: true })
    },
  }
}
