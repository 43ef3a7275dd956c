import { once } from 'node:events'
import {
  type Accounts,
  createAccounts,
  createAudit,
  createLinkMaker,
  isAccessToken,
  mailPlace,
  oidcPlace,
} from '@lathe/accounts'
import { indexPairRates } from '@lathe/contract'
import {
  createDatabase,
  createDatabaseClock,
  createDisabledFormats,
  createLastKnown,
  listPairRates,
} from '@lathe/database'
import { createEventSource, createHub } from '@lathe/events'
import { createOrchestrator } from '@lathe/orchestrator'
import { createOutbound, createUrlRule, warnOfOpenRanges } from '@lathe/outbound'
import {
  connectFast,
  createDispatch,
  createProgressBoard,
  listenSignals,
  refuseCluster,
  type SignalHandlers,
} from '@lathe/queue'
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
import { createStore } from '@lathe/storage'
import { createAddressCheck } from '@lathe/webhooks'
import type { Redis } from 'ioredis'
import { createAuth } from './auth/auth.ts'
import type { ApiConfig } from './config.ts'
import { createCountCache } from './count-cache.ts'
import { withJobTokens } from './job-tokens/caller.ts'
import { createJobTokens } from './job-tokens/job-tokens.ts'
import { createListening } from './listening/listening.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { createReadinessCheck } from './readiness-check.ts'
import type { Services } from './services.ts'
import { createWaiters } from './waiters.ts'
import { createQueueLook } from './waiting/queue-look.ts'

export interface ComposeOptions {
  readonly log?: Logger
  readonly clock?: Clock
}

/** Builds all services of the api, in order; if one fails, those already built are closed. */
export async function compose(
  config: ApiConfig,
  { log = createLog({ level: config.runtime.logLevel, name: 'api' }), clock = systemClock }: ComposeOptions = {},
): Promise<Services & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { keys: secrets, cell } = config.runtime
  const metrics = createMetrics({ defaults: true })
  const traces = stack.use(await openTraces('api', config.traces))
  const ids = createIds(cell, clock)
  warnOfOpenRanges(config.outbound, log)
  await refuseCluster(config.queue.url)
  const database = stack.use(createDatabase(config.database))
  const refrains = '/readyz answers 503'
  const databaseClock = stack.use(await createDatabaseClock({ db: database.pool, log, metrics, refrains }))
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const redis = stack.adopt(connectFast(config.queue.url, log), (connection) => connection.disconnect())
  const waiters = createWaiters({ limit: config.http.waitersAtOnce, perKey: config.http.waitersPerKey, metrics })
  const accounts = createAccounts({ database, hashKeys: secrets.of('api-keys'), ids, clock, log })
  const { publicUrl } = config.http
  const sealer = createSealer(secrets.of('credentials'))
  // A host named in a setting is the operator's choice, so it is allowed even on a private network.
  const { accounts: people, oidc, mail } = config
  const named = [...(oidc ? [oidcPlace(oidc)] : []), ...(mail ? [mailPlace(mail)] : [])]
  const outbound = stack.use(createOutbound({ ...config.outbound, allow: [...config.outbound.allow, ...named] }))
  const audit = createAudit({ ids, clock })
  const auth = createAuth({
    config: people,
    oidc,
    mail,
    outbound,
    publicUrl,
    keys: secrets,
    accounts,
    database,
    ids,
    clock,
    sealer,
    audit,
  })
  const jobTokens = createJobTokens({ database, ids, clock })
  const holders: Pick<Accounts, 'findCaller'> = {
    findCaller: (bearer) => (auth && isAccessToken(bearer) ? auth.sessions : accounts).findCaller(bearer),
  }
  const callers = withJobTokens(holders, jobTokens)
  const links = createLinkMaker({ publicUrl, keys: secrets })
  const source = createEventSource({ database, links: (now) => links.at(now), ids, clock })
  const hub = createHub({ source, clock, log })
  const listening = stack.use(createListening({ hub, accounts: callers, metrics, limits: config.http }))
  const heard: SignalHandlers = {
    onEnded: (id) => waiters.wake(id),
    onEvents: (hints) => hub.hint(hints),
    onProgress: (news) => hub.progress(news),
    onBack: () => hub.recheckAll(),
  }
  stack.use(listenSignals(config.queue, heard, { log }))
  const services: Services = {
    http: config.http,
    database,
    orchestrator: createOrchestrator({ database, dispatch, ids, clock, log, metrics, limits: config.limits }),
    accounts: callers,
    auth,
    jobTokens,
    audit,
    keys: accounts,
    ownerLimits: config.limits,
    store,
    links,
    sealer,
    checkAddress: createAddressCheck(createUrlRule(config.outbound, 'webhook'), config.webhooks),
    waiters,
    listening,
    progress: createProgressBoard({ redis, prefix: config.queue.prefix, log, metrics }),
    queueLook: createQueueLook({ database, clock }),
    disabledFormats: createDisabledFormats(database.pool),
    pairRates: createLastKnown(async () => indexPairRates(await listPairRates(database.pool)), pairRatesMaxAgeMs),
    limiter: createRateLimiter({ redis, prefix: config.queue.prefix, http: config.http, accounts: config.accounts }),
    counts: createCountCache(clock),
    stopping: new AbortController(),
    readiness: createReadinessCheck({
      database,
      store,
      redis,
      prefix: config.queue.prefix,
      metrics,
      isClockTrusted: () => databaseClock.isTrusted(),
    }),
    ids,
    clock,
    metrics,
    traces,
    log,
  }
  await contact(redis)
  const parts = stack.move()
  return { ...services, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

// The rates are measured once an hour.
const pairRatesMaxAgeMs = 60_000

const contactMs = 500

/** Gives Redis a moment to connect: until then, rates are counted for this process alone. Redis may also stay away. */
async function contact(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(contactMs) }).catch(() => undefined)
}
