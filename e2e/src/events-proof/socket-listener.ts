import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@lathe/contract'
import { io, type Socket } from 'socket.io-client'
import type { AccountBook, Book } from './book.ts'
import type { World } from './world.ts'

/** One Socket.IO client that follows many jobs, is killed, and reconnects, perhaps to another api. */
export interface SocketListener extends AsyncDisposable {
  /** Resolves when all events of the job were received. */
  follow(jobId: string, book: Book): Promise<void>
  /** Breaks the connection without a close frame, like a lost network. */
  kill(): void
}

/** How a connection begins, and how it handles events. */
interface Role {
  greet(socket: Socket): void
  hear(event: Event, channel: string): void
}

const limit = { ackMs: 20_000 }

/** A client that follows single jobs by event numbers. */
export function createSocketListener(world: World): SocketListener {
  const books = new Map<string, { book: Book; done: () => void }>()
  const subscribe = (socket: Socket, jobId: string, book: Book) =>
    // If the acknowledgement does not come, the next connection makes up for it.
    void socket
      .timeout(limit.ackMs)
      .emitWithAck('subscribe', `job.${jobId}`, { after: book.last })
      .catch(() => undefined)
  const line = keepConnected(world, {
    greet(socket) {
      for (const [jobId, { book }] of books) subscribe(socket, jobId, book)
    },
    hear(event, channel) {
      const jobId = channel.slice('job.'.length)
      const entry = books.get(jobId)
      if (!entry) return
      entry.book.note(event)
      if (!entry.book.isComplete) return
      books.delete(jobId)
      line.current()?.emit('unsubscribe', channel)
      entry.done()
    },
  })
  return {
    follow(jobId, book) {
      const { promise, resolve } = Promise.withResolvers<void>()
      books.set(jobId, { book, done: resolve })
      const socket = line.current()
      if (socket?.connected) subscribe(socket, jobId, book)
      return Promise.race([promise, pause(Math.max(0, world.deadline - Date.now()), undefined, { ref: false })])
    },
    kill: line.kill,
    [Symbol.asyncDispose]: line.close,
  }
}

/** A client that follows a whole account and continues from the time of its newest event. */
export function createAccountListener(world: World, book: AccountBook): Pick<SocketListener, 'kill'> & AsyncDisposable {
  const from = new Date().toISOString()
  const line = keepConnected(world, {
    greet(socket) {
      for (const channel of ['jobs', 'tasks']) socket.emit('subscribe', channel, { since: book.since ?? from })
    },
    hear: (event, channel) => book.note(event, channel),
  })
  return { kill: line.kill, [Symbol.asyncDispose]: line.close }
}

function keepConnected({ url, key, counts, chance }: World, { greet, hear }: Role) {
  let current: Socket | undefined
  let isClosed = false

  function connect(): void {
    const auth = { token: `Bearer ${key}` }
    const socket = io(url(), { auth, transports: ['websocket'], reconnection: false, forceNew: true, timeout: 5000 })
    current = socket
    const again = () => {
      if (socket !== current || isClosed) return
      current = undefined
      counts.reconnects += 1
      setTimeout(() => isClosed || connect(), chance.between(10, 300))
    }
    socket.on('connect', () => greet(socket))
    socket.on('event', (event: Event, channel: string) => socket === current && hear(event, channel))
    socket.on('disconnect', again)
    socket.on('connect_error', again)
  }

  connect()
  return {
    current: () => current,
    kill() {
      if (!current?.connected) return
      counts.listenerKills += 1
      // Closes the engine underneath, so that the service gets no disconnect message.
      current.io.engine.close()
    },
    async close() {
      isClosed = true
      current?.disconnect()
    },
  }
}
