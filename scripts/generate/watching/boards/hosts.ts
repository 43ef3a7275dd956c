import { type Board, panel, query } from '../board.ts'

/** The processes and the machines they run on. */
export const hosts: Board = {
  uid: 'hosts',
  title: 'hosts',
  panels: [
    panel(
      'Workers by sandbox level',
      'short',
      'Level 3 isolates best; 0 means that engines are not isolated.',
      query('max by (sandbox_level) (lathe_workers)', 'level {{sandbox_level}}'),
    ),
    panel(
      'Workers that start no conversions',
      'short',
      'Paused because their scratch disk is full.',
      query('sum by (reason) (lathe_worker_paused)', '{{reason}}'),
    ),
    panel(
      'Free scratch space',
      'bytes',
      'Of each worker.',
      query('min by (instance) (lathe_scratch_free_bytes)', '{{instance}}'),
    ),
    panel(
      'Age of the engine roots',
      's',
      'Rebuild them at least once a month: they hold the converters, which get security updates.',
      query('max by (instance) (time() - lathe_engine_root_built_timestamp_seconds > 0)', '{{instance}}'),
    ),
    panel(
      'Memory',
      'bytes',
      'Of our processes; engines have limits of their own.',
      query('process_resident_memory_bytes', '{{instance}}'),
    ),
    panel(
      'CPU',
      'percentunit',
      'Of our processes, without engines. 1 is one core.',
      query('rate(process_cpu_seconds_total[5m])', '{{instance}}'),
    ),
    panel(
      'Event loop lag, 99th percentile',
      's',
      'Above 0.1 s a process answers late whatever it does.',
      query('nodejs_eventloop_lag_p99_seconds', '{{instance}}'),
    ),
    panel(
      'Tasks in hand',
      'short',
      'Of each worker, by pool.',
      query('sum by (instance, pool) (lathe_tasks_running)', '{{instance}} {{pool}}'),
    ),
  ],
}
