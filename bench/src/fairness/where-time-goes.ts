import type { Stack } from '@lathe/testing'
import { say } from '../parts/measure.ts'
import { p95 } from './image-times.ts'

/** Where the time of an owner's conversions went, each as a 95th percentile in milliseconds. */
export interface TimeParts {
  /** From the creation to the claim: the queue. */
  readonly queued: number
  /** From the claim to the completion: waiting for an engine, the engine itself, and moving bytes. */
  readonly worked: number
  /** What engines took of it, on average. */
  readonly engine: number
}

/** Begins to watch an owner; what is then asked for tells where the time of its later conversions went. */
export async function watchTimes({ database }: Stack, ownerId: string): Promise<() => Promise<TimeParts>> {
  const owner = [`\\x${ownerId}`]
  const usedMs = async () => {
    const { rows } = await database.pool.query<{ used: number }>(
      `select used_ms::float8 as used from owners where id = $1`,
      owner,
    )
    return rows[0]?.used ?? 0
  }
  const { rows: start } = await database.pool.query<{ now: Date }>('select now()')
  const before = await usedMs()
  return async () => {
    const { rows } = await database.pool.query<{ queued: number; worked: number }>(
      `select extract(epoch from started_at - created_at)::float8 * 1000 as queued,
              extract(epoch from ended_at - started_at)::float8 * 1000 as worked
         from tasks where owner_id = $1 and operation = 'convert' and status = 'completed' and created_at > $2`,
      [...owner, start[0]?.now],
    )
    const engine = ((await usedMs()) - before) / Math.max(1, rows.length)
    return { queued: p95(rows.map(({ queued }) => queued)), worked: p95(rows.map(({ worked }) => worked)), engine }
  }
}

export function sayTimes(when: string, { queued, worked, engine }: TimeParts): void {
  say(
    `${when}: p95 ${queued.toFixed(0)} ms queued, ${worked.toFixed(0)} ms at a worker, engines ${engine.toFixed(0)} ms`,
  )
}
