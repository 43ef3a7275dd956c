import type { Accounts, KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import type { Hub } from '@lathe/events'
import type { Metrics } from '@lathe/runtime'
import type { HttpConfig } from '../config.ts'
import { createKeyWatch } from './key-watch.ts'

/** Why the service ends a connection that receives events. */
export type EndReason = 'revoked' | 'stopping'

export interface Visit {
  readonly way: 'sse' | 'socket'
  readonly key: string
  readonly caller: KeyHolder
  /** The IP address of the client. */
  readonly address: string
  end(reason: EndReason): void
}

/** The connections of this process that receive events: limits their number and ends them. */
export interface Listening extends Disposable {
  readonly hub: Hub
  /** Adds a connection, or refuses it because its key, its owner or this process has too many. Call the returned function when it has closed. */
  enter(visit: Visit): () => void
  /** Ends all connections and accepts no more. */
  stop(): void
}

interface ListeningParts {
  readonly hub: Hub
  readonly accounts: Pick<Accounts, 'findCaller'>
  readonly metrics: Metrics
  readonly limits: Pick<HttpConfig, 'listenersPerKey' | 'listenersPerOwner' | 'listenersAtOnce'>
}

// How long it takes to notice events whose hint was lost.
const tickMs = 1000

export function createListening({ hub, accounts, metrics, limits }: ListeningParts): Listening {
  const keys = createKeyWatch({ accounts })
  const visits = new Set<Visit>()
  const counts = new Map<string, number>()
  let isStopped = false
  const timer = setInterval(() => void hub.tick(), tickMs)
  timer.unref()

  function add(counted: string, change: number): void {
    const count = (counts.get(counted) ?? 0) + change
    if (count > 0) counts.set(counted, count)
    else counts.delete(counted)
  }

  function end(visit: Visit, reason: EndReason): void {
    metrics.listenersCut.inc({ way: visit.way, reason })
    visit.end(reason)
  }

  return {
    hub,
    enter(visit) {
      const { way, key, caller, address } = visit
      if (isStopped) throw tooMany('This process is about to stop. Connect again.')
      const [ofKey, ofOwner] = [`key ${caller.keyId}`, `owner ${caller.ownerId}`]
      const { listenersPerKey, listenersPerOwner, listenersAtOnce } = limits
      if ((counts.get(ofKey) ?? 0) >= listenersPerKey) throw tooMany(tooManyOf('This API key', listenersPerKey))
      if ((counts.get(ofOwner) ?? 0) >= listenersPerOwner) throw tooMany(tooManyOf('This account', listenersPerOwner))
      if (visits.size >= listenersAtOnce) throw tooMany('Too many connections listen to events here. Try again later.')
      visits.add(visit)
      for (const counted of [ofKey, ofOwner]) add(counted, 1)
      const unwatch = keys.watch(key, address, () => end(visit, 'revoked'))
      metrics.listeners.inc({ way })
      return () => {
        if (!visits.delete(visit)) return
        for (const counted of [ofKey, ofOwner]) add(counted, -1)
        unwatch()
        metrics.listeners.dec({ way })
      }
    },
    stop() {
      isStopped = true
      for (const visit of [...visits]) end(visit, 'stopping')
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      keys[Symbol.dispose]()
    },
  }
}

function tooMany(msg: string): Problem {
  return new Problem('rate_limited', { msg })
}

function tooManyOf(who: string, most: number): string {
  return `${who} has ${most} connections that listen to events, which is all it may have. Close one, or follow several jobs over one Socket.IO connection.`
}
