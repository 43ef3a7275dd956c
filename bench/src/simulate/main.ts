/**
 * `npm run simulate -- cells`: a day of 10,000 tasks/s over ten cells, one of which is lost at noon, on a virtual clock.
 *
 *   --scale=200   divides load and workers; each remaining worker, owner and limit is of full size
 *   --hours=24 --seed=1 --cells=10
 *
 * Small cells wait longer than large ones that are equally busy, so the waits are upper bounds. Prints JSON lines, and
 * exits with 1 if a claim does not hold.
 */
import { parseArgs } from 'node:util'
import { report, say } from '../parts/measure.ts'
import { simulateCells } from './cells.ts'
import { judgeCells } from './claims.ts'

const number = (text: string) => {
  const value = Number(text)
  if (!(value >= 0)) throw new Error(`${text} is not a number`)
  return value
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '200' },
    hours: { type: 'string', default: '24' },
    seed: { type: 'string', default: '1' },
    cells: { type: 'string', default: '10' },
  },
})
if (positionals.join() !== 'cells') throw new Error('npm run simulate -- cells')

const scale = number(values.scale)
const started = performance.now()
const day = simulateCells({
  seed: number(values.seed),
  hours: number(values.hours),
  cells: number(values.cells),
  tasksPerS: 10_000,
  scale,
  owners: 5_000,
  lostAtH: number(values.hours) / 2,
  lostForH: 2,
  failoverS: 60,
})
const measures = judgeCells(day)
report(measures)
const tookS = (performance.now() - started) / 1000
const { av, rest } = day.enginesPerCell
say(`1 in ${scale} of the load and of the workers: ${av} engines for av and ${rest} for the rest in each cell`)
say(
  `${3 * day.accepted} tasks in ${tookS.toFixed(0)} s, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB; the hungriest: ${day.hunger.ownerId}`,
)
const broken = measures.filter(({ ok }) => !ok)
say(`${measures.length - broken.length} passed, ${broken.length} failed`)
if (broken.length > 0) process.exitCode = 1
