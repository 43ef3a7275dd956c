import type { Readiness } from '@lathe/contract'
import type { Database } from '@lathe/database'
import { withDeadline } from '@lathe/runtime'
import type { ObjectStore } from '@lathe/storage'
import type { Redis } from 'ioredis'

/** Asks whether work can be done. */
export type ReadinessCheck = () => Promise<Readiness>

export interface ReadinessParts {
  readonly database: Pick<Database, 'pool'>
  readonly store: Pick<ObjectStore, 'check'>
  readonly redis: Pick<Redis, 'ping'>
}

const deadlineMs = 3000
// Anyone may ask, so the parts are asked at most once a second, whoever asks.
const keptMs = 1000

/** Proves each part by using it. Without PostgreSQL or storage nothing works; without Redis everything is a bit slower. */
export function createReadinessCheck({ database, store, redis }: ReadinessParts): ReadinessCheck {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  async function check(): Promise<Readiness> {
    const [postgres, storage, queue] = await Promise.all([
      works(database.pool.query('select 1')),
      works(store.check(AbortSignal.timeout(deadlineMs))),
      works(redis.ping()),
    ])
    const status = !postgres || !storage ? 'down' : queue ? 'ready' : 'degraded'
    return { status, parts: { postgres: word(postgres), storage: word(storage), redis: word(queue) } }
  }

  return () => {
    const now = performance.now()
    if (!last || now - last.at > keptMs) last = { at: now, answer: check() }
    return last.answer
  }
}

async function works(proof: Promise<unknown>): Promise<boolean> {
  return withDeadline(proof, deadlineMs).then(
    () => true,
    () => false,
  )
}

function word(up: boolean): 'up' | 'down' {
  return up ? 'up' : 'down'
}
