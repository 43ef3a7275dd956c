import { createAccounts } from '@lathe/accounts'
import { createDatabase } from '@lathe/database'
import { createAddressCheck } from '@lathe/events'
import { createOrchestrator } from '@lathe/orchestrator'
import { createUrlRule } from '@lathe/outbound'
import { connectFast, createDispatch, createProgressBoard, listenSignals } from '@lathe/queue'
import {
  type Clock,
  createIds,
  createLog,
  createMetrics,
  createSealer,
  deriveKey,
  type Logger,
  systemClock,
} from '@lathe/runtime'
import { createLinkMaker, createStore, linkKeys } from '@lathe/storage'
import type { ApiConfig } from './config.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { createReadinessCheck } from './readiness-check.ts'
import type { Services } from './services.ts'
import { createWaiters } from './waiters.ts'

export interface ComposeOptions {
  readonly log?: Logger
  readonly clock?: Clock
}

/** Builds everything the api works with, in order; what was built is closed again if a later part fails. */
export async function compose(
  config: ApiConfig,
  { log = createLog({ level: config.runtime.logLevel, name: 'api' }), clock = systemClock }: ComposeOptions = {},
): Promise<Services & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { secret, cell } = config.runtime
  const metrics = createMetrics({ defaults: true })
  const ids = createIds(cell, clock)
  const database = stack.use(createDatabase(config.database))
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const redis = stack.adopt(connectFast(config.queue.url, log), (connection) => connection.disconnect())
  const waiters = createWaiters({ limit: config.http.waitersAtOnce, metrics })
  stack.use(listenSignals(config.queue, { onEnded: (id) => waiters.wake(id) }, { log }))
  const services: Services = {
    http: config.http,
    database,
    orchestrator: createOrchestrator({ database, dispatch, ids, clock, log, metrics }),
    accounts: createAccounts({ database, hashKey: deriveKey(secret, 'api-keys'), ids, clock, log }),
    store,
    links: createLinkMaker({ publicUrl: config.http.publicUrl, ...linkKeys(secret) }),
    sealer: createSealer(config.runtime.sealingSecrets),
    checkAddress: createAddressCheck(createUrlRule(config.outbound.allow), config.webhooks),
    waiters,
    progress: createProgressBoard({ redis, prefix: config.queue.prefix, log, metrics }),
    limiter: createRateLimiter({ redis, prefix: config.queue.prefix, ...config.http }),
    readiness: createReadinessCheck({ database, store, redis }),
    ids,
    clock,
    metrics,
    log,
  }
  const parts = stack.move()
  return { ...services, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
