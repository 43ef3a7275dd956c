import type { Event } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { FastifyInstance } from 'fastify'
import { type DefaultEventsMap, Server, type Socket } from 'socket.io'
import type { Services } from '../../services.ts'
import { authenticateSocket, type SocketCaller, type SocketServices } from './admit.ts'
import { type Ack, createConnection } from './connection.ts'
import { createGate, type Gate } from './gate.ts'

interface FromClient {
  subscribe(...words: unknown[]): void
  unsubscribe(...words: unknown[]): void
}

interface ToClient {
  event(event: Event, channel: string): void
  /** Sent before a connection is dropped. */
  dropped(why: { errorCode: string; msg: string }): void
}

interface SocketData {
  caller: SocketCaller
  leave: () => void
}

type Sockets = Server<FromClient, ToClient, DefaultEventsMap, SocketData>
type Client = Socket<FromClient, ToClient, DefaultEventsMap, SocketData>

const messageBytes = 64 * 1024
// Clients that have not sent a key by then are disconnected.
const connectMs = 10_000
// The most messages queued in a connection; further events stay in the log.
const waitingMessages = 128
// A client that does not close within this time is cut.
const farewellMs = 1000

/** Socket.IO at /socket.io, on the server of the api. */
export function serveSockets(app: FastifyInstance, services: SocketServices): void {
  const { http } = services
  const gate = createGate(services)
  const io: Sockets = new Server(app.server, {
    path: '/socket.io',
    serveClient: false,
    transports: ['polling', 'websocket'],
    maxHttpBufferSize: messageBytes,
    connectTimeout: connectMs,
    cors: { origin: [...http.corsOrigins], methods: ['GET', 'POST'] },
    allowRequest: (request, answer) => {
      gate.refusalOf(request).then(
        (refusal) => answer(refusal, refusal === undefined),
        () => answer('internal', false),
      )
    },
  })
  const introduced = new WeakSet<object>()
  io.use((socket, next) => {
    const isFirst = !introduced.has(socket.conn)
    introduced.add(socket.conn)
    admit(services, gate, socket, isFirst).then(
      () => next(),
      (error: unknown) => next(toConnectError(services, error)),
    )
  })
  io.on('connection', (socket) => attend(services, gate, socket))
  app.addHook('preClose', async () => void io.engine.close())
}

async function admit(services: SocketServices, gate: Gate, socket: Client, isFirst: boolean): Promise<void> {
  const address = gate.addressOf(socket.request)
  // The session was counted for its IP address when it opened; from here on it is counted by its key.
  if (isFirst) await services.limiter.giveBack('address', address)
  const caller = await authenticateSocket(services, socket.handshake.auth.token, address)
  socket.data.caller = caller
  const end = () => dismiss(socket)
  // Stored on the socket itself: it may close before the `connection` event.
  const leave = services.listening.enter({ way: 'socket', ...caller, address, end })
  socket.data.leave = leave
  socket.conn.once('close', leave)
}

function toConnectError({ log }: Services, error: unknown): Error {
  const problem = error instanceof Problem ? error : new Problem('internal', {}, error)
  if (problem.code === 'internal') log.error({ err: error }, 'unexpected error on a websocket')
  return Object.assign(new Error(problem.message), { data: { errorCode: problem.code, msg: problem.message } })
}

function attend(services: SocketServices, gate: Gate, socket: Client): void {
  const { conn } = socket
  let hasMoved = true
  let waiting = 0
  const outlet = {
    room: () => waitingMessages - waiting,
    emit(event: Event, channel: string) {
      waiting += 1
      socket.emit('event', event, channel)
    },
  }
  // Answers use the same queue as events.
  const counted = (ack: (answer: Ack) => void) => (answer: Ack) => {
    waiting += 1
    ack(answer)
  }
  const address = gate.addressOf(socket.request)
  const connection = createConnection({ services, caller: socket.data.caller, address, outlet })
  // The transport has taken the whole queue, and takes more only once the peer has read it.
  conn.on('drain', () => {
    waiting = 0
    hasMoved = true
    connection.wake()
  })
  const timer = setInterval(() => {
    if (outlet.room() <= 0 && !hasMoved) drop(services, socket)
    hasMoved = false
  }, services.http.heartbeatMs)

  socket.on('subscribe', (...words) => {
    const { channel, options, ack } = toRequest(words)
    void connection.subscribe(channel, options, counted(ack))
  })
  socket.on('unsubscribe', (...words) => {
    const { channel, ack } = toRequest(words)
    void connection.unsubscribe(channel, counted(ack))
  })
  socket.once('disconnect', () => {
    clearInterval(timer)
    connection[Symbol.dispose]()
    socket.data.leave()
  })
}

/** `channel, options?, acknowledge?`: clients may leave out the acknowledgement. */
function toRequest(words: readonly unknown[]) {
  const last = words.at(-1)
  const ack = typeof last === 'function' ? (last as (answer: Ack) => void) : () => undefined
  const [channel, options] = typeof last === 'function' ? words.slice(0, -1) : words
  return { channel, options, ack }
}

/** Disconnects a client because its key was revoked or the process stops. */
function dismiss(socket: Client): void {
  socket.conn.close(true)
  // Closing would wait for a peer that does not answer.
  setTimeout(() => socket.request.socket.destroy(), farewellMs).unref()
}

/**
 * Disconnects a client that does not read. It loses no events: it reconnects and resumes after the last one it
 * received.
 */
function drop({ metrics, http }: Services, socket: Client): void {
  metrics.listenersCut.inc({ way: 'socket', reason: 'stalled' })
  socket.emit('dropped', {
    errorCode: 'too_slow',
    msg: 'Events were not taken for too long. Connect again and subscribe with the seq of the last event received.',
  })
  socket.conn.close()
  setTimeout(() => socket.request.socket.destroy(), http.heartbeatMs).unref()
}
