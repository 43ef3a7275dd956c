import { atMost, figure, type Measure } from '../parts/measure.ts'
import { type CellsReport, waitClasses } from './cells.ts'

// A quick task starts within this (the objective behind the alert LatheLateStarts).
const quickMs = 2_500
// A long task itself runs for minutes.
const longMs = 60_000
const limits = { transfer: quickMs, quick: quickMs, long: longMs }
// The maximum time for which an owner has waiting tasks and none running: the longest videos take more than this
// themselves.
const hungerMs = 600_000

/** The requirements for the day, with the figures. */
export function judgeCells(report: CellsReport): readonly Measure[] {
  const { accepted, completed, lost, refused, open } = report
  return [
    figure('cells: conversions accepted', accepted, '1'),
    figure('cells: engines of av workers busy', report.busy.av, 'share'),
    figure('cells: engines of other workers busy', report.busy.rest, 'share'),
    ...waitClasses.flatMap((name) => [
      atMost(`cells: wait p95, ${name}`, report.waits[name].quantile(0.95), 'ms', limits[name]),
      atMost(
        `cells: wait p95, ${name}, while a cell is lost`,
        report.waitsWhileLost[name].quantile(0.95),
        'ms',
        limits[name],
      ),
      figure(`cells: wait p99, ${name}`, report.waits[name].quantile(0.99), 'ms'),
    ]),
    atMost('cells: longest time an owner had work and none in hand', report.hunger.ms, 'ms', hungerMs),
    figure('cells: conversions lost with their cell', lost, '1'),
    // Only the contents of the lost cell are lost: everything else was completed, and nothing twice.
    atMost('cells: conversions unaccounted for', Math.abs(accepted - completed - lost) + open, '1', 0),
    figure('cells: requests refused until the route changed', refused, '1'),
  ]
}
