import { createExporters, createImporters } from '@lathe/connectors'
import { createDatabase } from '@lathe/database'
import { createWorkerDesk } from '@lathe/orchestrator'
import { createOutbound } from '@lathe/outbound'
import { connectFast, createDispatch, createProgressBoard } from '@lathe/queue'
import { createIds, createLog, createMetrics, createSealer, serveMetrics, systemClock } from '@lathe/runtime'
import { createSandbox, openRunners } from '@lathe/sandbox'
import { createStore } from '@lathe/storage'
import type { WorkerConfig } from './config.ts'
import { provePolicies } from './prove-policies.ts'
import { createTurns } from './turns.ts'
import { startWorker } from './worker.ts'

/** Builds the worker in order and starts it; throws SandboxUnavailable where engines cannot be kept in. */
export async function compose(config: WorkerConfig): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { work } = config
  const log = createLog({ level: config.runtime.logLevel, name: 'worker' })
  const metrics = createMetrics({ defaults: true })
  const ids = createIds(config.runtime.cell)
  const sandbox = stack.use(await createSandbox(config.sandbox))
  const { manifest, ...report } = sandbox.report
  const facts = { sandboxLevel: sandbox.level, ...report, engineRootName: manifest.name }
  if (sandbox.level === 0) log.error(facts, 'ENGINES ARE NOT KEPT IN: any file sent here can take this machine over')
  else log.info(facts, 'engines are kept in')
  const runners = stack.use(await openRunners(sandbox, work))
  await provePolicies({ sandbox, runners })
  const database = stack.use(createDatabase(config.database))
  const store = stack.use(await createStore(config.storage))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const redis = stack.adopt(connectFast(config.queue.url, log), (connection) => connection.disconnect())
  const outbound = stack.use(createOutbound(config.outbound))
  const desk = createWorkerDesk({ database, dispatch, ids, clock: systemClock, log, metrics })
  const engineTurns = createTurns(work.engineTasks)
  const browser = { ...sandbox, call: runners.browser.call, takeTurn: engineTurns.take }
  const connectorParts = { outbound, database, config: config.connectors }
  const importers = createImporters({ ...connectorParts, browser })
  const exporters = createExporters(connectorParts)
  const { port } = stack.use(await serveMetrics(metrics, config.metrics))
  const sealer = createSealer(config.runtime.sealingSecrets)
  const services = {
    sealer,
    work,
    desk,
    store,
    importers,
    exporters,
    sandbox,
    engineTurns,
    runners,
    progress: createProgressBoard({ redis, prefix: config.queue.prefix, log, metrics }),
    clock: systemClock,
    metrics,
    log,
  }
  stack.use(await startWorker(services, { queue: config.queue, ids }))
  log.info({ pools: work.pools, metricsPort: port }, 'worker is ready')
  const all = stack.move()
  return { [Symbol.asyncDispose]: () => all.disposeAsync() }
}
