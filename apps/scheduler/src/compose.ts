import { createDatabase } from '@lathe/database'
import { createCaretaker } from '@lathe/orchestrator'
import { createDispatch } from '@lathe/queue'
import { createIds, createLog, createMetrics, createSealer, serveMetrics, systemClock } from '@lathe/runtime'
import { createStore } from '@lathe/storage'
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
  const { uploadTimeoutMs } = config
  const sealer = createSealer(config.runtime.sealingSecrets)
  const duties = createDuties({ caretaker, database, store, sealer, clock, metrics, uploadTimeoutMs, isSteady })
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
