/** An objective over 30 days: a share of good events. */
export interface Objective {
  /** Part of the names of its recorded series. */
  readonly name: string
  readonly alert: string
  readonly title: string
  readonly about: string
  readonly target: number
  /** Rates of bad and of all events over a window such as `5m`. */
  bad(window: string): string
  all(window: string): string
}

// Errors of the service, not of clients, their files or the sources of those files.
const ours = 'engine_crashed|engine_timeout|output_missing|secrets_unreadable|unwritable|internal'

export const objectives: readonly Objective[] = [
  {
    name: 'api_errors',
    alert: 'LatheApiErrors',
    title: 'Requests answered with an error of ours',
    about: 'Share of requests that were answered with a 5xx status.',
    target: 0.999,
    bad: (window) => `sum(rate(lathe_http_request_seconds_count{status=~"5..",route=~"/v1/.*"}[${window}]))`,
    all: (window) => `sum(rate(lathe_http_request_seconds_count{route=~"/v1/.*"}[${window}]))`,
  },
  {
    name: 'task_failures',
    alert: 'LatheTaskFailures',
    title: 'Tasks that failed through our fault',
    about: 'Share of ended tasks that failed for a reason which is not the client’s.',
    target: 0.999,
    bad: (window) => `sum(rate(lathe_tasks_ended_total{status="failed",reason=~"${ours}"}[${window}]))`,
    all: (window) => `sum(rate(lathe_tasks_ended_total[${window}]))`,
  },
  {
    name: 'late_starts',
    alert: 'LatheLateStarts',
    title: 'Quick tasks that waited for more than 2.5 s',
    about: 'Share of claims of tasks expected to be quick that came later than 2.5 s after the task was ready.',
    target: 0.995,
    bad: (window) =>
      `sum(rate(lathe_task_queue_seconds_count{lane="quick"}[${window}])) - sum(rate(lathe_task_queue_seconds_bucket{lane="quick",le="2.5"}[${window}]))`,
    all: (window) => `sum(rate(lathe_task_queue_seconds_count{lane="quick"}[${window}]))`,
  },
]
