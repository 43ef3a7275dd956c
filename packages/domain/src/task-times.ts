/** How a task spent its time, in whole milliseconds, in its last attempt. */
export interface TaskTimes {
  /** Ready, but waiting for a worker or an engine. */
  readonly queueMs: number
  /** Fetching its input files to the worker, or importing files. */
  readonly fetchMs: number
  /** Running engines. */
  readonly engineMs: number
  /** Storing its files, or sending them to the target of an export. */
  readonly storeMs: number
}
