import type { Accounts, KeyHolder } from '@lathe/accounts'
import { Problem } from '@lathe/domain'
import type { Hub } from '@lathe/events'
import type { Metrics } from '@lathe/runtime'
import { createKeyWatch } from './key-watch.ts'

/** Why the service ends a connection that listens. */
export type EndReason = 'revoked' | 'stopping'

export interface Visit {
  readonly way: 'sse' | 'socket'
  readonly key: string
  readonly caller: KeyHolder
  end(reason: EndReason): void
}

/** Who listens to this process: how many there may be, and when they have to go. */
export interface Listening extends Disposable {
  readonly hub: Hub
  /** Lets a connection in, or refuses it because its key has too many. What it gives is called when it has gone. */
  enter(visit: Visit): () => void
  /** Ends all, and lets nobody in any more. */
  stop(): void
}

interface ListeningParts {
  readonly hub: Hub
  readonly accounts: Pick<Accounts, 'findCaller'>
  readonly metrics: Metrics
  readonly perKey: number
}

// A lost hint is made good after this time.
const tickMs = 1000

export function createListening({ hub, accounts, metrics, perKey }: ListeningParts): Listening {
  const keys = createKeyWatch({ accounts })
  const visits = new Map<string, Set<Visit>>()
  let isStopped = false
  let isLooking = false
  const timer = setInterval(async () => {
    // A slow database is asked again when it has answered.
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
      const { way, key, caller } = visit
      const own = visits.get(caller.keyId) ?? new Set()
      if (isStopped || own.size >= perKey) throw tooMany(perKey)
      visits.set(caller.keyId, own.add(visit))
      const unwatch = keys.watch(key, () => end(visit, 'revoked'))
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
