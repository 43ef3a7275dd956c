import { type Board, panel, query } from '../board.ts'

/** Whether owners slow each other down. No metric names an owner: find the owner in the logs by `ownerId`. */
export const owners: Board = {
  uid: 'owners',
  title: 'owners',
  panels: [
    panel(
      'Backlog',
      'short',
      'Ready tasks that wait for a slot of their owner: limits at work, not a lack of workers.',
      query('max(lathe_tasks_backlog)', 'tasks'),
    ),
    panel(
      'Owners with a backlog',
      'short',
      'Many: slots are set low. One with all of it: a burst.',
      query('max(lathe_owners_backlogged)', 'owners'),
      query('max(lathe_owner_backlog_max)', 'tasks of the largest'),
    ),
    panel(
      'Refused for having too much',
      'reqps',
      'Open tasks, uploads or downloads beyond what one owner may have.',
      query('sum by (reason) (rate(lathe_admissions_refused_total[5m]))', '{{reason}}'),
    ),
    panel(
      'Refused by rate limits',
      'reqps',
      'By what was counted: the key, the address, the owner of a link, or tasks per minute.',
      query('sum by (by) (rate(lathe_http_rate_limited_total[5m]))', '{{by}}'),
    ),
    panel(
      'Transfers',
      'short',
      'Uploads and downloads under way.',
      query('sum(lathe_uploads)', 'uploads'),
      query('sum(lathe_downloads)', 'downloads'),
    ),
    panel(
      'Bytes moved',
      'bytes',
      'Per second.',
      query('sum(rate(lathe_uploaded_bytes_total[5m]))', 'in'),
      query('sum(rate(lathe_downloaded_bytes_total[5m]))', 'out'),
    ),
    panel(
      'Listeners',
      'short',
      'Open event streams and sockets, and answers that are held back.',
      query('sum by (way) (lathe_event_listeners)', '{{way}}'),
      query('sum(lathe_http_waiters)', 'held answers'),
    ),
    panel(
      'Operations',
      'reqps',
      'What is asked for.',
      query('topk(10, sum by (operation) (rate(lathe_tasks_created_total[5m])))', '{{operation}}'),
    ),
  ],
}
