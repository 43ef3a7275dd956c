import { type Board, panel, query } from '../board.ts'

/** PostgreSQL, Redis, storage and the receivers of webhooks, as the service sees them. */
export const dependencies: Board = {
  uid: 'dependencies',
  title: 'dependencies',
  panels: [
    panel(
      'Parts that answer',
      'short',
      'What /readyz of each api found when it was last asked: 1 is up.',
      query('min by (part) (lathe_dependency_up)', '{{part}}'),
    ),
    panel('Leaders', 'short', 'Exactly one scheduler must lead.', query('sum(lathe_scheduler_leads)', 'leaders')),
    panel(
      'Partitions ahead',
      's',
      'For how long new records have partitions. At 0 nothing can be created.',
      query('max(lathe_partitions_ahead_seconds)', 'ahead'),
    ),
    panel(
      'Oldest transaction',
      's',
      'While one is open, PostgreSQL cannot remove dead rows.',
      query('max(lathe_database_oldest_transaction_seconds)', 'oldest'),
    ),
    panel(
      'Hints Redis did not take',
      'reqps',
      'The scheduler repeats them within seconds.',
      query('sum by (kind) (rate(lathe_dispatch_failures_total[5m]))', '{{kind}}'),
    ),
    panel(
      'Set right by the scheduler',
      'reqps',
      'Tasks queued again, and tasks of dead workers given to others.',
      query('sum by (kind) (rate(lathe_reconciled_total[5m]))', '{{kind}}'),
    ),
    panel(
      'Clock difference to PostgreSQL',
      's',
      'Beyond 60 s nothing is expired or erased.',
      query('max(abs(lathe_clock_ahead_seconds))', 'difference'),
      query('sum by (duty) (rate(lathe_erasures_refused_total[5m]))', 'refused {{duty}}'),
    ),
    panel(
      'Writes that came too late',
      'reqps',
      'Refused by the fence: rises with killed or frozen workers.',
      query('sum(rate(lathe_stale_writes_total[5m]))', 'refused'),
    ),
    panel(
      'Webhooks',
      'reqps',
      'Tries by what came of them.',
      query('sum by (outcome) (rate(lathe_webhook_tries_total[5m]))', '{{outcome}}'),
    ),
    panel(
      'Deliveries that are due',
      'short',
      'Rises when receivers are slow or schedulers too few.',
      query('max(lathe_webhook_deliveries_due)', 'due'),
      query('max(lathe_webhook_deliveries_oldest_seconds)', 'oldest, in seconds'),
    ),
  ],
}
