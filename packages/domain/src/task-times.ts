/** Where the time of a task went, in whole milliseconds, as its last attempt measured it. */
export interface TaskTimes {
  /** Ready, but waiting for a worker or an engine. */
  readonly queueMs: number
  /** Bringing its input files to the worker, or importing files. */
  readonly fetchMs: number
  /** Engines at work. */
  readonly engineMs: number
  /** Storing its files, or sending them to where an export puts them. */
  readonly storeMs: number
}
