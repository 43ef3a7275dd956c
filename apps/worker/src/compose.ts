import { openConnectors } from '@lathe/connectors'
import { createDatabase, createDatabaseClock, createDisabledFormats } from '@lathe/database'
import { checkCatalog, familyOfTool, pageRunner } from '@lathe/engines'
import { createWorkerDesk } from '@lathe/orchestrator'
import { createOutbound, warnOfOpenRanges } from '@lathe/outbound'
import { connectFast, createDispatch, createProgressBoard, refuseCluster } from '@lathe/queue'
import { createIds, createLog, createMetrics, createSealer, openTraces, serveMetrics } from '@lathe/runtime'
import { createStore } from '@lathe/storage'
import type { WorkerConfig } from './config.ts'
import { startEngineNotes } from './engine-notes.ts'
import { createEnginePermits } from './engine-permits.ts'
import { watchEngineRoot } from './engine-root-watch.ts'
import { createEngineSlots } from './engine-slots.ts'
import { heartbeatDatabase } from './heartbeat.ts'
import { openEngineHost } from './open-engine-host.ts'
import { createPatientStore } from './patient-store.ts'
import { createPauses } from './pauses.ts'
import { startScratchWatch } from './scratch-watch.ts'
import { createSlowOwners } from './slow-owners.ts'
import { startWorker } from './worker.ts'

/** A running worker. */
export interface ComposedWorker extends AsyncDisposable {
  /** Rejects when the worker can no longer run engines. */
  readonly gone: Promise<never>
}

/** Builds the worker and starts it. Throws SandboxUnavailable where engines cannot be isolated. */
export async function compose(config: WorkerConfig): Promise<ComposedWorker> {
  checkCatalog()
  await using stack = new AsyncDisposableStack()
  const log = createLog({ level: config.runtime.logLevel, name: 'worker' })
  const metrics = createMetrics({ defaults: true })
  const traces = stack.use(await openTraces('worker', config.traces))
  const pauses = createPauses()
  const opened = stack.use(
    await openEngineHost(config, {
      log,
      onChange(isThere) {
        pauses.set('engine_host', !isThere)
        if (!isThere) log.error('engine host lost, no task that needs an engine is started')
        else log.info('engine host ready')
      },
      onServe: (runner, servedBy) => metrics.engineCalls.inc({ runner, served_by: servedBy }),
    }),
  )
  const { host: sandbox, gone } = opened
  const { runners } = sandbox
  const lacking = new Set(runners.lacking.map((engine) => familyOfTool(engine)))
  // A route may need any engine.
  if (lacking.size > 0) lacking.add('route')
  const work = { ...config.work, families: config.work.families.filter((family) => !lacking.has(family)) }
  const { manifest, ...report } = sandbox.report
  const facts = { sandboxLevel: sandbox.level, ...report, engineRootName: manifest.name }
  if (sandbox.level === 0) log.error(facts, 'ENGINES ARE NOT ISOLATED: a malicious file can take over this machine')
  else log.info(facts, 'engines isolated')
  metrics.sandboxLevel.set(sandbox.level)
  metrics.engineRootBuilt.set(report.engineRootUpToDateAt.getTime() / 1000)
  const root = { name: String(manifest.name), path: report.engineRoot, upToDateAt: report.engineRootUpToDateAt }
  const watched = { maxDays: work.engineRootMaxDays, report: work.engineRootReport }
  stack.use(watchEngineRoot({ ...root, ...watched, log, metrics }))
  metrics.engineSlots.set(work.engineTasks)
  for (const engine of runners.lacking) metrics.engineLacking.set({ engine }, 1)
  if (runners.lacking.length > 0)
    log.warn(
      { engines: runners.lacking, privateProc: report.privateProc },
      'engines missing, their tasks are left to other workers',
    )
  await refuseCluster(config.queue.url)
  const database = stack.use(createDatabase(config.database))
  // Everything about tasks follows PostgreSQL's clock. Stores and other services compare signatures with this machine's.
  const clock = stack.use(
    await createDatabaseClock({
      ...{ db: database.pool, log, metrics, refrains: 'no task is started' },
      onTrust(isTrusted) {
        pauses.set('clock', !isTrusted)
        metrics.paused.set({ reason: 'clock' }, isTrusted ? 0 : 1)
      },
    }),
  )
  const ids = createIds(config.runtime.cell, clock)
  const store = createPatientStore(stack.use(await createStore(config.storage)))
  const dispatch = stack.use(createDispatch(config.queue, { log, metrics }))
  const redis = stack.adopt(connectFast(config.queue.url, log), (connection) => connection.disconnect())
  const outbound = stack.use(createOutbound(config.outbound))
  warnOfOpenRanges(config.outbound, log)
  const heartbeats = stack.use(heartbeatDatabase(config.database))
  const { limits } = config
  const desk = createWorkerDesk({ database, dispatch, ids, clock, log, metrics, limits }, { heartbeats })
  const engineSlots = createEngineSlots(work.engineSlots)
  pauses.watch((reason) => engineSlots.pause(reason !== undefined))
  const scratch = stack.use(
    await startScratchWatch({
      dir: config.sandbox.scratchDir,
      leastFreeBytes: work.scratchFreeBytes,
      onLook: (freeBytes) => metrics.scratchFree.set(freeBytes),
      onChange(isFull, freeBytes) {
        pauses.set('disk', isFull)
        metrics.paused.set({ reason: 'disk' }, isFull ? 1 : 0)
        if (isFull) log.warn({ freeBytes }, 'scratch disk full, no task that needs an engine is started')
        else log.info({ freeBytes }, 'scratch disk has free space again')
      },
    }),
  )
  const onChange = (taken: number) => metrics.engineSlotsBusy.set(taken)
  const capacity = { memoryBytes: work.memoryBytes, freeDisk: () => scratch.spareBytes, onChange }
  const enginePermits = createEnginePermits(work.engineTasks, capacity)
  const engineNotes = stack.use(startEngineNotes(desk, log))
  const call = runners.call.bind(undefined, pageRunner)
  const browser = { ...sandbox, call, takePermit: enginePermits.take }
  const { importers, exporters } = openConnectors({ outbound, browser, database, settings: config.connectors })
  const { port } = stack.use(
    await serveMetrics(metrics, { ...config.metrics, pausedBy: () => pauses.reason(), lacking: runners.lacking }),
  )
  const disabledFormats = createDisabledFormats(database.pool)
  // Loaded at startup: PostgreSQL may be unavailable when the first task needs them.
  await disabledFormats.rules()
  const sealer = createSealer(config.runtime.keys.of('credentials'))
  const services = {
    sealer,
    work,
    desk,
    disabledFormats,
    store,
    importers,
    exporters,
    sandbox,
    scratch,
    engineSlots,
    enginePermits,
    engineNotes,
    slowOwners: createSlowOwners(),
    runners,
    progress: createProgressBoard({ redis, prefix: config.queue.prefix, log, metrics }),
    clock,
    pauses,
    metrics,
    traces,
    log,
  }
  stack.use(await startWorker(services, { queue: config.queue, ids }))
  log.info({ pools: work.pools, families: work.families, metricsPort: port }, 'worker is ready')
  const all = stack.move()
  return { gone, [Symbol.asyncDispose]: () => all.disposeAsync() }
}
