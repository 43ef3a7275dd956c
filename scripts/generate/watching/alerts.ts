import { objectives } from './objectives.ts'

/** An alerting rule; its runbook is docs/runbooks/{name}.md. */
export interface Alert {
  readonly name: string
  readonly expr: string
  /** How long the condition must hold. */
  readonly lasts: string
  /** `page` pages the on-call engineer, `ticket` waits for the morning. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
}

/** The windows of the series that Prometheus records. */
export const windows = ['5m', '30m', '1h', '6h'] as const
export const recordings: readonly { readonly name: string; readonly expr: string }[] = objectives.flatMap((one) =>
  windows.map((window) => ({
    name: `lathe:${one.name}:ratio_rate${window}`,
    // Without traffic the share of bad events is 0.
    expr: `((${one.bad(window)}) / (${one.all(window)} > 0)) or vector(0)`,
  })),
)

// 14.4 times the budget's rate spends 2% of a month's budget in an hour, 6 times spends 5% in six hours. The short
// window ends the alert soon after the problem ends.
const burns = [
  { rate: 14.4, long: '1h', short: '5m', lasts: '2m', severity: 'page' },
  { rate: 6, long: '6h', short: '30m', lasts: '15m', severity: 'ticket' },
] as const

const burnAlerts: readonly Alert[] = objectives.flatMap(({ name, alert, target, title }) =>
  burns.map(({ rate, long, short, lasts, severity }) => {
    const most = `(${rate} * ${(1 - target).toFixed(4)})`
    const series = `lathe:${name}:ratio_rate`
    const expr = `${series}${long} > ${most} and ${series}${short} > ${most}`
    return { name: alert, expr, lasts, severity, summary: `${title}: ${rate} times what the objective allows` }
  }),
)

const alert = (
  name: string,
  [severity, lasts]: readonly [Alert['severity'], string],
  expr: string,
  summary: string,
): Alert => ({ name, severity, lasts, expr, summary })

// Metrics of the leader mean nothing while there is no leader.
const ifLed = 'and on () (max(lathe_scheduler_leads) == 1)'

export const alerts: readonly Alert[] = [
  ...burnAlerts,
  alert(
    'LatheWaitsTooLong',
    ['page', '5m'],
    'max by (pool, lane) (lathe_tasks_waiting_oldest_seconds{lane!="alone"}) > 300',
    'The oldest task of {{ $labels.pool }} {{ $labels.lane }} has waited for {{ $value | humanizeDuration }}',
  ),
  alert(
    'LatheNoLeader',
    ['page', '1m'],
    '(max(lathe_scheduler_leads) or vector(0)) < 1',
    'No scheduler leads: nothing is recovered, expired or observed',
  ),
  alert(
    'LatheNoWorkers',
    ['page', '2m'],
    `sum(lathe_workers) == 0 ${ifLed}`,
    'No worker sends heartbeats: no task is run',
  ),
  alert(
    'LathePartitionsShort',
    ['page', '5m'],
    `max(lathe_partitions_ahead_seconds) < 3 * 3600 ${ifLed}`,
    'Partitions for new records end in {{ $value | humanizeDuration }}; after that nothing can be created',
  ),
  alert(
    'LatheDependencyDown',
    ['page', '2m'],
    'min by (part) (lathe_dependency_up) == 0',
    '{{ $labels.part }} does not answer',
  ),
  alert(
    'LatheSandboxLevelLow',
    ['page', '1m'],
    'min by (instance) (lathe_sandbox_level and on (instance) lathe_engine_slots > 0) < 2',
    '{{ $labels.instance }} isolates engines at level {{ $value }} only',
  ),
  alert(
    'LatheScratchFull',
    ['ticket', '5m'],
    'max by (instance, reason) (lathe_worker_paused) == 1',
    '{{ $labels.instance }} starts no conversions because of its {{ $labels.reason }}',
  ),
  alert(
    'LatheEngineRootOld',
    ['ticket', '1h'],
    'max by (instance) (time() - (lathe_engine_root_built_timestamp_seconds != 0)) > 35 * 86400',
    'The engine root of {{ $labels.instance }} is {{ $value | humanizeDuration }} old and lacks security updates',
  ),
  alert(
    'LatheStaleWrites',
    ['ticket', '10m'],
    'sum(rate(lathe_stale_writes_total[10m])) > 0.1',
    'Workers lose their leases: {{ $value | humanize }} results a second come too late',
  ),
  alert(
    'LatheHintsLost',
    ['ticket', '10m'],
    'sum(rate(lathe_dispatch_failures_total[5m])) > 0.1',
    'Redis does not take {{ $value | humanize }} hints a second',
  ),
  alert(
    'LatheWebhooksLate',
    ['ticket', '15m'],
    'max(lathe_webhook_deliveries_oldest_seconds) > 900',
    'The oldest delivery to a webhook has been due for {{ $value | humanizeDuration }}',
  ),
  alert(
    'LatheClockWrong',
    ['ticket', '5m'],
    'max by (instance) (abs(lathe_clock_ahead_seconds)) > 30',
    'The clock of {{ $labels.instance }} differs from PostgreSQL’s by {{ $value | humanizeDuration }}',
  ),
  alert(
    'LatheDutyFails',
    ['ticket', '15m'],
    'sum by (duty) (rate(lathe_duty_failures_total[10m])) > 0.01',
    'The duty {{ $labels.duty }} of the scheduler keeps failing, for all it has to do or for a part',
  ),
  alert(
    'LatheTransactionOpen',
    ['ticket', '5m'],
    'max(lathe_database_oldest_transaction_seconds) > 900',
    'A transaction has been open for {{ $value | humanizeDuration }}',
  ),
]
