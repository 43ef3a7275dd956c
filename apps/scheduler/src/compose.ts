import { createDatabase } from '@lathe/database'
import { defaultDeliveryLimits, startDispatcher } from '@lathe/events'
import { createCaretaker } from '@lathe/orchestrator'
import { createOutbound } from '@lathe/outbound'
import { createDispatch } from '@lathe/queue'
import { createIds, createLog, createMetrics, createSealer, serveMetrics, systemClock } from '@lathe/runtime'
import { createLinkMaker, createStore, linkKeys } from '@lathe/storage'
import type { SchedulerConfig } from './config.ts'
import { createDuties } from './duties.ts'
import { whileLeader } from './leadership.ts'
import { keepDuties } from './scheduler.ts'
import { createSteadiness } from './steadiness.ts'

/** Builds the scheduler and starts it; disposing stops its duties and closes everything. */
export async function compose(config: SchedulerConfig): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const log = createLog({ level: config.runtime.logLevel, name: 'scheduler' })
  const metrics = createMetrics({ defaults: true })
  const clock = systemClock
  const ids = createIds(config.runtime.cell)
  const database = stack.use(createDatabase(config.database))
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const caretaker = createCaretaker({ database, dispatch, ids, clock, log, metrics })
  const { port } = stack.use(await serveMetrics(metrics, config.metrics))
  const { isSteady } = createSteadiness(database.pool)
  const { uploadTimeoutMs, webhooks } = config
  const sealer = createSealer(config.runtime.sealingSecrets)
  const duties = createDuties({ caretaker, database, store, sealer, clock, metrics, uploadTimeoutMs, isSteady })
  const links = createLinkMaker({ publicUrl: webhooks.publicUrl, ...linkKeys(config.runtime.secret) })
  const outbound = stack.use(createOutbound(config.outbound))
  // Not for the leader alone: any number of processes may deliver.
  if (webhooks.atOnce > 0) {
    const limits = { ...defaultDeliveryLimits, atOnce: webhooks.atOnce }
    const shared = { database, outbound, sealer, ids, clock, limits, log, metrics, ...webhooks }
    stack.use(startDispatcher({ ...shared, links: () => links.at(clock.now()) }))
  }
  const stopping = new AbortController()
  const leading = whileLeader(database, stopping.signal, log, (signal) => keepDuties(duties, signal, log))
  stack.defer(async () => {
    stopping.abort()
    await leading
  })
  log.info({ metricsPort: port }, 'scheduler is ready')
  const all = stack.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}
