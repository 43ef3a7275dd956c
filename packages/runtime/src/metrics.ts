import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

// From a fast read to the longest long-polling response (60 s).
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
// From a thumbnail to the longest engine deadline (3.5 h).
const taskSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 12_600]

/** All metrics of the service, in one registry per process. */
export type Metrics = ReturnType<typeof createMetrics>

/** Creates the metrics of a process. `defaults` adds memory, CPU and event loop. */
export function createMetrics({ defaults = false }: { defaults?: boolean } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (defaults) collectDefaultMetrics({ register: registry })
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter<L>({ name: `lathe_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name: `lathe_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram<L>({ name: `lathe_${name}`, help, buckets, labelNames, registers })

  return {
    registry,
    requestDuration: histogram('http_request_seconds', 'Time to answer a request', requestSeconds, [
      'method',
      'route',
      'status',
    ]),
    rateLimited: counter('http_rate_limited_total', 'Requests refused by the rate limit', ['by']),
    waiters: gauge('http_waiters', 'Answers held back by Prefer: wait'),
    listeners: gauge('event_listeners', 'Event streams and Socket.IO connections open', ['way']),
    listenersCut: counter('event_listeners_cut_total', 'Listeners ended by the service', ['way', 'reason']),
    uploads: gauge('uploads', 'Uploads under way'),
    downloads: gauge('downloads', 'Downloads under way'),
    uploadedBytes: counter('uploaded_bytes_total', 'Bytes taken in by uploads'),
    downloadedBytes: counter('downloaded_bytes_total', 'Bytes handed out by links'),
    tasksCreated: counter('tasks_created_total', 'Tasks accepted', ['operation']),
    tasksEnded: counter('tasks_ended_total', 'Tasks that came to an end', ['operation', 'status', 'reason']),
    taskDuration: histogram('task_seconds', 'Time from claim to end', taskSeconds, ['operation']),
    queueDuration: histogram('task_queue_seconds', 'Time a ready task waited for its claim', taskSeconds, [
      'pool',
      'lane',
    ]),
    totalDuration: histogram('task_total_seconds', 'Time from creation to end of tasks that workers end', taskSeconds, [
      'pool',
      'lane',
    ]),
    waiting: gauge('tasks_waiting', 'Tasks that hold a slot and wait for a worker', ['pool', 'lane', 'family']),
    oldestWait: gauge('tasks_waiting_oldest_seconds', 'How long the oldest of them has waited', [
      'pool',
      'lane',
      'family',
    ]),
    backlog: gauge('tasks_backlog', 'Ready tasks that wait for a slot of their owner'),
    ownersBacklogged: gauge('owners_backlogged', 'Owners with ready tasks that have no slot'),
    largestBacklog: gauge('owner_backlog_max', 'Ready tasks without a slot of the owner that has most'),
    admissionsRefused: counter('admissions_refused_total', 'Requests refused because their owner has too much', [
      'reason',
    ]),
    claims: counter('claims_total', 'Queue entries turned into leases, or dropped', ['pool', 'outcome']),
    offers: counter('offers_total', 'Tasks offered where an engine is warm, taken or refused', ['outcome']),
    staleWrites: counter('stale_writes_total', 'Writes refused because their fence had moved'),
    retries: counter('retries_total', 'Attempts given back for another try', ['reason']),
    givenBack: counter('given_back_total', 'Claimed tasks given back to the queue untouched', ['reason']),
    engineLacking: gauge('worker_engine_lacking', '1 for each engine that this worker cannot run', ['engine']),
    paused: gauge('worker_paused', '1 while this worker starts nothing that needs an engine', ['reason']),
    scratchFree: gauge('scratch_free_bytes', 'Bytes free on the file system of the scratch directory'),
    sandboxLevel: gauge('sandbox_level', 'How well this worker isolates its engines, 3 is best'),
    engineRootBuilt: gauge(
      'engine_root_built_timestamp_seconds',
      'When the newest package of the engine root was made, or a refresh found none that is newer',
    ),
    engineRootVulnerabilities: gauge(
      'engine_root_vulnerabilities',
      'Known vulnerabilities of the packages of the engine root, where somebody has looked for them',
      ['urgency', 'fix'],
    ),
    engineSlots: gauge('engine_slots', 'Engines this worker runs at once at most'),
    engineSlotsBusy: gauge('engine_slots_busy', 'Engines this worker is running'),
    engineCalls: counter('engine_calls_total', 'Calls of engines that are kept warm, by what served them', [
      'runner',
      'served_by',
    ]),
    running: gauge('tasks_running', 'Tasks this process is working on', ['pool']),
    leads: gauge('scheduler_leads', '1 while this scheduler is the leader'),
    workers: gauge('workers', 'Workers that send heartbeats, by how well they isolate engines', ['sandbox_level']),
    partitionsAhead: gauge('partitions_ahead_seconds', 'For how long partitions are there for new records'),
    oldestTransaction: gauge('database_oldest_transaction_seconds', 'Age of the oldest open transaction'),
    deliveriesDue: gauge('webhook_deliveries_due', 'Deliveries to webhooks that are due'),
    oldestDelivery: gauge('webhook_deliveries_oldest_seconds', 'How long the oldest of them has been due'),
    dependencyUp: gauge('dependency_up', '1 while a part that this api needs answers', ['part']),
    reconciled: counter('reconciled_total', 'What the reconciler set right', ['kind']),
    expired: counter(
      'expired_total',
      'Partitions and prefixes dropped past their time, and objects deleted that nothing referred to',
      ['kind'],
    ),
    clockAhead: gauge('clock_ahead_seconds', 'How far the clock of this machine is ahead of PostgreSQL’s'),
    dutyFailures: counter(
      'duty_failures_total',
      'Times a duty of the scheduler failed, for all it had to do or for a part',
      ['duty'],
    ),
    erasuresRefused: counter('erasures_refused_total', 'Times a duty erased nothing because the clocks differ', [
      'duty',
    ]),
    webhookTries: counter('webhook_tries_total', 'Tries to deliver to webhooks, by what came of them', ['outcome']),
    dispatchFailures: counter('dispatch_failures_total', 'Hints Redis did not take', ['kind']),
  }
}
