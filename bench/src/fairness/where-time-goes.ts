import type { TaskTimes } from '@lathe/domain'
import type { Stack } from '@lathe/testing'
import { say } from '../parts/measure.ts'
import { p95 } from './image-times.ts'

/** How an owner's conversion time is divided, each part as a 95th percentile in milliseconds. */
export interface TimeParts {
  /** Time in the queue: from creation to the first claim. */
  readonly claimed: number
  /** Time at the worker: waiting for an engine permit, fetching, the engine itself, storing, and the rest. */
  readonly waited: number
  readonly fetch: number
  readonly engine: number
  readonly store: number
  readonly other: number
  /** Conversions that were requeued and claimed again. */
  readonly again: number
}

interface Row {
  readonly claimed: number
  readonly worked: number
  readonly attempt: number
  readonly times: TaskTimes
}

/** Starts watching an owner; the returned function reports how the time of later conversions is divided. */
export async function watchTimes({ database }: Stack, ownerId: string): Promise<() => Promise<TimeParts>> {
  const { rows: start } = await database.pool.query<{ now: Date }>('select now()')
  return async () => {
    const { rows } = await database.pool.query<Row>(
      `select extract(epoch from started_at - created_at)::float8 * 1000 as claimed,
              extract(epoch from ended_at - started_at)::float8 * 1000 as worked, attempt, times
         from tasks where owner_id = $1 and operation = 'convert' and status = 'completed' and created_at > $2`,
      [`\\x${ownerId}`, start[0]?.now],
    )
    const waitedOf = ({ claimed, times }: Row) => Math.max(0, times.queueMs - claimed)
    const otherOf = (row: Row) =>
      row.worked - waitedOf(row) - row.times.fetchMs - row.times.engineMs - row.times.storeMs
    return {
      claimed: p95(rows.map(({ claimed }) => claimed)),
      waited: p95(rows.map(waitedOf)),
      fetch: p95(rows.map(({ times }) => times.fetchMs)),
      engine: p95(rows.map(({ times }) => times.engineMs)),
      store: p95(rows.map(({ times }) => times.storeMs)),
      other: p95(rows.map(otherOf)),
      again: rows.filter(({ attempt }) => attempt > 1).length,
    }
  }
}

export function sayTimes(when: string, { again, ...parts }: TimeParts): void {
  const list = Object.entries(parts).map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
  say(`${when}, p95 in ms: ${list.join(', ')}; ${again} claimed again`)
}
