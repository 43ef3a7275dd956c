import { createLinkMaker } from '@lathe/accounts'
import { createDatabase, createDatabaseClock } from '@lathe/database'
import { createCaretaker } from '@lathe/orchestrator'
import { createOutbound, warnOfOpenRanges } from '@lathe/outbound'
import { createDispatch, refuseCluster } from '@lathe/queue'
import { createIds, createLog, createMetrics, createSealer, openTraces, serveMetrics } from '@lathe/runtime'
import { createStore } from '@lathe/storage'
import { defaultDeliveryLimits, startDispatcher } from '@lathe/webhooks'
import type { SchedulerConfig } from './config.ts'
import { createDuties, type Duty } from './duties.ts'
import { whileLeader } from './leadership.ts'
import { createObserver } from './observe.ts'
import { keepDuties } from './scheduler.ts'
import { createSteadiness } from './steadiness.ts'

/** Builds and starts the scheduler; disposing it stops its duties and closes everything. */
export async function compose(config: SchedulerConfig): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const log = createLog({ level: config.runtime.logLevel, name: 'scheduler' })
  const metrics = createMetrics({ defaults: true })
  const traces = stack.use(await openTraces('scheduler', config.traces))
  await refuseCluster(config.queue.url)
  const database = stack.use(createDatabase(config.database))
  const clock = stack.use(
    await createDatabaseClock({ db: database.pool, log, metrics, refrains: 'nothing is deleted' }),
  )
  const ids = createIds(config.runtime.cell, clock)
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const { port } = stack.use(await serveMetrics(metrics, config.metrics))
  const { isSteady } = createSteadiness(database.pool)
  const { uploadTimeoutMs, unreferencedMs, anonymousIdleS, auditMs, webhooks } = config
  const { keys } = config.runtime
  const sealer = createSealer(keys.of('credentials'))
  const isClockTrusted = () => clock.isTrusted()
  const shared = { sealer, clock, metrics }
  const links = createLinkMaker({ publicUrl: webhooks.publicUrl, keys })
  const outbound = stack.use(createOutbound(config.outbound))
  warnOfOpenRanges(config.outbound, log)
  // Not only for the leader: any number of processes may deliver.
  if (webhooks.atOnce > 0) {
    const limits = { ...defaultDeliveryLimits, atOnce: webhooks.atOnce, perOwner: webhooks.perOwner }
    const delivery = { outbound: outbound.for('webhook'), ids, limits, log, traces, ...webhooks }
    stack.use(startDispatcher({ ...shared, database, ...delivery, links: () => links.at(clock.now()) }))
  }
  const stopping = new AbortController()
  const observer = createObserver({ database, clock, metrics })
  const observing: Duty = { name: 'observe', everyMs: 5_000, run: () => observer.observe() }
  const leading = whileLeader(database, stopping.signal, log, async (leadership) => {
    metrics.leads.set(1)
    const { database } = leadership
    const duties = createDuties({
      ...{ ...shared, database, caretaker: createCaretaker({ database, dispatch, ids, clock, log, metrics }) },
      ...{ store, uploadTimeoutMs, unreferencedMs, anonymousIdleS, auditMs, isSteady, isClockTrusted },
    })
    await keepDuties([...duties, observing], leadership, { log, metrics })
    metrics.leads.set(0)
    observer.forget()
  })
  stack.defer(async () => {
    stopping.abort()
    await leading
  })
  log.info({ metricsPort: port }, 'scheduler is ready')
  const all = stack.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}
