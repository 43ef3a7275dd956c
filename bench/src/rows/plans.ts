import type { Executor } from '@lathe/database'
import { say } from '../parts/measure.ts'

/** A statement as sent. */
interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** An executor that records its statements. */
export interface Spy extends Executor {
  /** The statements that `work` sends. */
  lastOf(work: () => Promise<unknown>): Promise<readonly Statement[]>
}

export function spyOn(db: Executor): Spy {
  let seen: Statement[] = []
  const query = (asked: string | Statement, values: readonly unknown[] = []) => {
    const statement = typeof asked === 'string' ? { text: asked, values } : asked
    seen.push(statement)
    // Keeping a whole day of samples would take too much memory.
    if (seen.length > 100) seen = seen.slice(-50)
    return typeof asked === 'string'
      ? db.query(asked, [...values])
      : db.query({ text: asked.text, values: [...asked.values] })
  }
  return {
    query: query as unknown as Executor['query'],
    async lastOf(work) {
      seen = []
      await work()
      return seen
    },
  }
}

/** Runs statements again and prints their query plans. */
export async function printPlans(db: Executor, asked: Promise<readonly Statement[]>): Promise<void> {
  for (const { text, values } of await asked) {
    const { rows } = await db.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, buffers, costs off, summary on) ${text}`,
      values: [...values],
    })
    say(text.replaceAll(/\s+/g, ' '))
    for (const row of rows) say(`  ${row['QUERY PLAN']}`)
  }
}
