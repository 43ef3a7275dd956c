import { type Board, panel, query } from '../board.ts'

/** Queued and running work, and its results. */
export const work: Board = {
  uid: 'work',
  title: 'work',
  panels: [
    panel(
      'Waiting for a worker',
      'short',
      'Rises when there are too few workers.',
      query('max by (pool, family, lane) (lathe_tasks_waiting)', '{{pool}} {{family}} {{lane}}'),
    ),
    panel(
      'Oldest wait',
      's',
      'How long the oldest waiting task has been ready.',
      query('max by (pool, family, lane) (lathe_tasks_waiting_oldest_seconds)', '{{pool}} {{family}} {{lane}}'),
    ),
    panel(
      'Wait, 50th and 95th percentile',
      's',
      'From ready to claimed.',
      query('histogram_quantile(0.5, sum by (le, lane) (rate(lathe_task_queue_seconds_bucket[5m])))', 'p50 {{lane}}'),
      query('histogram_quantile(0.95, sum by (le, lane) (rate(lathe_task_queue_seconds_bucket[5m])))', 'p95 {{lane}}'),
    ),
    panel(
      'Engines busy',
      'percentunit',
      'Share of the engine slots of all workers that are in use.',
      query('sum(lathe_engine_slots_busy) / sum(lathe_engine_slots)', 'busy'),
    ),
    panel(
      'Tasks created and ended',
      'reqps',
      'Ended stays below created while the queue grows.',
      query('sum(rate(lathe_tasks_created_total[5m]))', 'created'),
      query('sum by (status) (rate(lathe_tasks_ended_total[5m]))', '{{status}}'),
    ),
    panel(
      'Failures by reason',
      'reqps',
      'input_* and source_* are the work of clients; engine_*, internal and unwritable are ours.',
      query('sum by (reason) (rate(lathe_tasks_ended_total{status="failed"}[5m]))', '{{reason}}'),
    ),
    panel(
      'Warm engines',
      'percentunit',
      'Share of calls that met an engine which was warm for their owner, or had started ahead.',
      query(
        'sum by (runner, served_by) (rate(lathe_engine_calls_total[5m])) / on (runner) group_left sum by (runner) (rate(lathe_engine_calls_total[5m]))',
        '{{runner}} {{served_by}}',
      ),
    ),
    panel(
      'Retries and returns',
      'reqps',
      'Attempts that failed for a cause that may pass, and tasks that a worker gave back untouched.',
      query('sum by (reason) (rate(lathe_retries_total[5m]))', 'retry {{reason}}'),
      query('sum by (reason) (rate(lathe_given_back_total[5m]))', 'return {{reason}}'),
    ),
    panel(
      'Time per operation, 95th percentile',
      's',
      'From claim to end.',
      query('histogram_quantile(0.95, sum by (le, operation) (rate(lathe_task_seconds_bucket[5m])))', '{{operation}}'),
    ),
    panel(
      'Claims',
      'reqps',
      'Dropped entries were stale or had been taken by another worker.',
      query('sum by (outcome) (rate(lathe_claims_total[5m]))', '{{outcome}}'),
      query('sum by (outcome) (rate(lathe_offers_total[5m]))', 'offer {{outcome}}'),
    ),
  ],
}
