import { createAccounts } from '@lathe/accounts'
import { createDatabase } from '@lathe/database'
import { createAddressCheck, createEventSource, createHub } from '@lathe/events'
import { createOrchestrator } from '@lathe/orchestrator'
import { createUrlRule } from '@lathe/outbound'
import { connectFast, createDispatch, createProgressBoard, listenSignals, type SignalHandlers } from '@lathe/queue'
import {
  type Clock,
  createIds,
  createLog,
  createMetrics,
  createSealer,
  type Logger,
  openTraces,
  systemClock,
} from '@lathe/runtime'
import { createLinkMaker, createStore } from '@lathe/storage'
import type { ApiConfig } from './config.ts'
import { createCountCache } from './count-cache.ts'
import { createListening } from './listening/listening.ts'
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
  const { keys, cell } = config.runtime
  const metrics = createMetrics({ defaults: true })
  const traces = stack.use(await openTraces('api', config.traces))
  const ids = createIds(cell, clock)
  const database = stack.use(createDatabase(config.database))
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const redis = stack.adopt(connectFast(config.queue.url, log), (connection) => connection.disconnect())
  const waiters = createWaiters({ limit: config.http.waitersAtOnce, perKey: config.http.waitersPerKey, metrics })
  const accounts = createAccounts({ database, hashKeys: keys.of('api-keys'), ids, clock, log })
  const links = createLinkMaker({ publicUrl: config.http.publicUrl, keys })
  const source = createEventSource({ database, links: (now) => links.at(now), ids, clock })
  const hub = createHub({ source, clock, log })
  const listening = stack.use(createListening({ hub, accounts, metrics, perKey: config.http.listenersPerKey }))
  const heard: SignalHandlers = {
    onEnded: (id) => waiters.wake(id),
    onEvents: (hints) => hub.hint(hints),
    onProgress: (news) => hub.progress(news),
    onBack: () => hub.distrust(),
  }
  stack.use(listenSignals(config.queue, heard, { log }))
  const services: Services = {
    http: config.http,
    database,
    orchestrator: createOrchestrator({ database, dispatch, ids, clock, log, metrics, limits: config.limits }),
    accounts,
    store,
    links,
    sealer: createSealer(keys.of('credentials')),
    checkAddress: createAddressCheck(createUrlRule(config.outbound.allow), config.webhooks),
    waiters,
    listening,
    progress: createProgressBoard({ redis, prefix: config.queue.prefix, log, metrics }),
    limiter: createRateLimiter({ redis, prefix: config.queue.prefix, ...config.http }),
    counts: createCountCache(clock),
    stopping: new AbortController(),
    readiness: createReadinessCheck({ database, store, redis, metrics }),
    ids,
    clock,
    metrics,
    traces,
    log,
  }
  const parts = stack.move()
  return { ...services, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
