import { type Board, panel, query } from '../board.ts'
import { objectives } from '../objectives.ts'

/** Whether the service meets its objectives, and how much of the error budget remains. */
export const slos: Board = {
  uid: 'slos',
  title: 'objectives',
  panels: [
    ...objectives.map(({ title, name, target, about }) =>
      panel(
        title,
        'percentunit',
        `${about} Objective: at most ${(100 * (1 - target)).toFixed(1)} % over 30 days.`,
        query(`lathe:${name}:ratio_rate5m`, '5 minutes'),
        query(`lathe:${name}:ratio_rate1h`, '1 hour'),
        query(`${(1 - target).toFixed(4)}`, 'objective'),
      ),
    ),
    panel(
      'Error budget spent in 6 hours',
      'percentunit',
      'Share of the budget of 30 days that the last 6 hours have spent. 5 % is the rate at which a ticket is opened.',
      ...objectives.map(({ name, target, title }) =>
        query(`lathe:${name}:ratio_rate6h / ${(1 - target).toFixed(4)} * 6 / 720`, title),
      ),
    ),
    panel(
      'Answers of the API, 95th percentile',
      's',
      'Uploads, downloads and held answers take as long as their clients, and are left out.',
      query(
        'histogram_quantile(0.95, sum by (le, route) (rate(lathe_http_request_seconds_bucket{method="POST",route=~"/v1/process/.*"}[5m])))',
        '{{route}}',
      ),
    ),
    panel(
      'Creation to end, 95th percentile',
      's',
      'By pool and lane: how long clients wait for a result.',
      query(
        'histogram_quantile(0.95, sum by (le, pool, lane) (rate(lathe_task_total_seconds_bucket[5m])))',
        '{{pool}} {{lane}}',
      ),
    ),
  ],
}
