import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AttackOrder } from './hostile-thread.ts'
import type { Tally } from './raw-connection.ts'

/** The thread of the hostile tenant. */
export interface Attacker extends AsyncDisposable {
  begin(order: AttackOrder): void
  /** Ends the current attack and returns the attackers' report. */
  stop(): Promise<string>
}

/** Starts the attacking thread; it starts no attack by itself. */
export async function startAttacker(): Promise<Attacker> {
  const thread = new Worker(new URL('./hostile-thread.ts', import.meta.url))
  await once(thread, 'online')
  let count = 0
  return {
    begin(order) {
      count = order.count
      thread.postMessage(order)
    },
    async stop() {
      thread.postMessage('stop')
      const [tally] = (await once(thread, 'message')) as [Tally]
      return tell(count, tally)
    },
    async [Symbol.asyncDispose]() {
      await thread.terminate()
    },
  }
}

function tell(count: number, { opened, cut, statuses }: Tally): string {
  const answers = Object.entries(statuses).map(([status, times]) => `${times}×${status}`)
  return `${count} wanted, ${opened} opened, ${cut} cut${answers.length > 0 ? `, ${answers.join(' ')}` : ''}`
}
