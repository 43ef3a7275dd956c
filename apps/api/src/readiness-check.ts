import type { Readiness } from '@lathe/contract'
import { type Database, findLowestSandboxLevel } from '@lathe/database'
import { type Metrics, withDeadline } from '@lathe/runtime'
import type { ObjectStore } from '@lathe/storage'
import type { Redis } from 'ioredis'

/** Checks whether the service can work. */
export type ReadinessCheck = () => Promise<Readiness>

export interface ReadinessParts {
  readonly database: Pick<Database, 'pool'>
  readonly store: Pick<ObjectStore, 'check'>
  readonly redis: Pick<Redis, 'set'>
  /** REDIS_PREFIX. */
  readonly prefix: string
  /** Whether the clocks of this machine and PostgreSQL agree. */
  isClockTrusted(): Promise<boolean>
  readonly metrics?: Pick<Metrics, 'dependencyUp'>
}

const deadlineMs = 3000
// Any client may ask, so the parts are checked at most once a second.
const keptMs = 1000

/**
 * Checks each part by using it. Without PostgreSQL or storage, or with a wrong clock, the service is down; without Redis it is only slower;
 * with a worker that does not sandbox its engines it should get no important work.
 */
export function createReadinessCheck({
  database,
  store,
  redis,
  prefix,
  isClockTrusted,
  metrics,
}: ReadinessParts): ReadinessCheck {
  let last: { readonly at: number; readonly answer: Promise<Readiness> } | undefined

  async function check(): Promise<Readiness> {
    const [level, storage, queue, clock] = await Promise.all([
      withDeadline(findLowestSandboxLevel(database.pool), deadlineMs).catch(() => undefined),
      works(store.check(AbortSignal.timeout(deadlineMs))),
      // A write: a replica would answer anything else.
      works(redis.set(`${prefix}:readiness`, '1', 'PX', keptMs * 10)),
      // Without PostgreSQL it is not known.
      withDeadline(isClockTrusted(), deadlineMs).catch(() => true),
    ])
    const postgres = level !== undefined
    const status = !postgres || !storage || !clock ? 'down' : queue && level !== 0 ? 'ready' : 'degraded'
    for (const [part, up] of Object.entries({ postgres, storage, redis: queue, clock }))
      metrics?.dependencyUp.set({ part }, up ? 1 : 0)
    const parts = { postgres: word(postgres), storage: word(storage), redis: word(queue), clock: word(clock) }
    return { status, parts, ...(typeof level === 'number' ? { sandbox_level: level } : {}) }
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
