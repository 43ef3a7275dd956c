import { type Channel, type Event, parseChannel, parseChannelStart } from '@lathe/contract'
import { Problem } from '@lathe/domain'
import type { Listener, Watch } from '@lathe/events'
import { requireAddress } from '../../http/client-address.ts'
import type { Services } from '../../services.ts'
import { countOne, requireRead, type SocketCaller, type SocketServices } from './admit.ts'
import { subscribe } from './subscribe.ts'

/** The answer to a message: the result, or the error and what to do about it. */
export type Ack =
  | { readonly ok: true; readonly state?: unknown; readonly seq?: number | null }
  | { readonly ok: false; readonly errorCode: string; readonly msg: string }

/** Where a connection's events go. */
export interface Outlet {
  room(): number
  emit(event: Event, channel: string): void
}

/** The subscriptions of one Socket.IO client. */
export interface Connection extends Disposable {
  subscribe(channel: unknown, options: unknown, ack: (answer: Ack) => void): Promise<void>
  unsubscribe(channel: unknown, ack: (answer: Ack) => void): Promise<void>
  /** Tells the connection that there is room again. */
  wake(): void
}

/** The most subscriptions of one connection. */
const subscriptionsAtOnce = 100
/** The most queued messages of one connection: enough to subscribe to everything allowed at once. */
const messagesInLine = 200

export interface ConnectionParts {
  readonly services: SocketServices
  readonly caller: SocketCaller
  readonly address: string
  readonly outlet: Outlet
}

export function createConnection({ services, caller, address, outlet }: ConnectionParts): Connection {
  const watches = new Map<string, Watch>()
  let isClosed = false

  /** Checks the key again for every message: it may have been revoked since. */
  async function authorize() {
    await countOne(services, caller.key, address)
    const holder = await services.accounts.findCaller(caller.key)
    if (!holder) throw new Problem('unauthorized')
    requireAddress(holder, address)
    requireRead(holder)
    return holder
  }

  function leave(name: string): void {
    watches.get(name)?.[Symbol.dispose]()
    watches.delete(name)
  }

  async function begin(given: unknown, options: unknown, ack: (answer: Ack) => void): Promise<void> {
    const { ownerId } = await authorize()
    const channel = parseChannel(given)
    const start = parseChannelStart(channel, options)
    const name = nameOf(channel)
    if (!watches.has(name) && watches.size >= subscriptionsAtOnce) throw tooMany()
    const { listener, open } = createOutletListener(outlet, name)
    const { state, seq, watch } = await subscribe(services, { ownerId, channel, start }, listener)
    if (isClosed) return watch[Symbol.dispose]()
    leave(name)
    watches.set(name, watch)
    ack({ ok: true, state, seq })
    open()
    watch.wake()
  }

  let last = Promise.resolve()
  let inLine = 0
  /** Handles one message after another, so that each sees the effects of the one before. */
  async function inTurn(ack: (answer: Ack) => void, work: () => Promise<void>): Promise<void> {
    if (inLine >= messagesInLine) return refuse(services, ack, new Problem('rate_limited'))
    inLine += 1
    last = last.then(work).catch((error: unknown) => refuse(services, ack, error))
    await last
    inLine -= 1
  }

  return {
    subscribe: (given, options, ack) => inTurn(ack, () => begin(given, options, ack)),
    unsubscribe: (given, ack) =>
      inTurn(ack, async () => {
        await authorize()
        leave(nameOf(parseChannel(given)))
        ack({ ok: true })
      }),
    wake() {
      for (const watch of watches.values()) watch.wake()
    },
    [Symbol.dispose]() {
      isClosed = true
      for (const name of [...watches.keys()]) leave(name)
    },
  }
}

/** Holds events back until the subscription was acknowledged. */
function createOutletListener(outlet: Outlet, name: string): { readonly listener: Listener; open(): void } {
  let isOpen = false
  return {
    listener: {
      room: () => (isOpen ? outlet.room() : 0),
      take(events) {
        for (const event of events) outlet.emit(event, name)
      },
    },
    open() {
      isOpen = true
    },
  }
}

function nameOf(channel: Channel): string {
  return 'id' in channel ? `${channel.kind}.${channel.id}` : channel.kind
}

function refuse({ log }: Pick<Services, 'log'>, ack: (answer: Ack) => void, error: unknown): void {
  const problem = error instanceof Problem ? error : new Problem('internal', {}, error)
  if (problem.code === 'internal') log.error({ err: error }, 'unexpected error on a websocket')
  ack({ ok: false, errorCode: problem.code, msg: problem.message })
}

function tooMany(): Problem {
  return new Problem('invalid_request', {
    msg: `This connection has ${subscriptionsAtOnce} subscriptions, which is all it may have. Unsubscribe from one, or subscribe to "jobs" or "tasks".`,
  })
}
