import type { Accounts, KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import type { Hub } from '@lathe/events'
import type { Metrics } from '@lathe/runtime'
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
  /** Adds a connection, or refuses it because its key has too many. Call the returned function when it has closed. */
  enter(visit: Visit): () => void
  /** Ends all connections and accepts no more. */
  stop(): void
}

interface ListeningParts {
  readonly hub: Hub
  readonly accounts: Pick<Accounts, 'findCaller'>
  readonly metrics: Metrics
  readonly perKey: number
}

// How long it takes to notice events whose hint was lost.
const tickMs = 1000

export function createListening({ hub, accounts, metrics, perKey }: ListeningParts): Listening {
  const keys = createKeyWatch({ accounts })
  const visits = new Map<string, Set<Visit>>()
  let isStopped = false
  let isLooking = false
  const timer = setInterval(async () => {
    // Do not query a slow database again before it has answered.
    if (isLooking) return
    isLooking = true
    await hub.tick()
    isLooking = false
  }, tickMs)
  timer.unref()

  function end(visit: Visit, reason: EndReason): void {
    metrics.listenersCut.inc({ way: visit.way, reason })
    visit.end(reason)
  }

  return {
    hub,
    enter(visit) {
      const { way, key, caller, address } = visit
      const own = visits.get(caller.keyId) ?? new Set()
      if (isStopped || own.size >= perKey) throw tooMany(perKey)
      visits.set(caller.keyId, own.add(visit))
      const unwatch = keys.watch(key, address, () => end(visit, 'revoked'))
      metrics.listeners.inc({ way })
      return () => {
        if (!own.delete(visit)) return
        if (own.size === 0) visits.delete(caller.keyId)
        unwatch()
        metrics.listeners.dec({ way })
      }
    },
    stop() {
      isStopped = true
      for (const own of [...visits.values()]) for (const visit of [...own]) end(visit, 'stopping')
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      keys[Symbol.dispose]()
    },
  }
}

function tooMany(perKey: number): Problem {
  return new Problem('rate_limited', {
    msg: `This API key has ${perKey} connections that listen to events, which is all it may have. Close one, or follow several jobs over one Socket.IO connection.`,
  })
}
