/** Runs attacks on a separate thread, so that attackers and the normal tenant do not wait for each other. */
import { parentPort } from 'node:worker_threads'
import { attacks, type Weapons } from './attacks.ts'
import type { Tally } from './raw-connection.ts'

/** The attack that the thread starts; `stop` ends it. */
export interface AttackOrder {
  readonly name: string
  readonly count: number
  readonly from: string
  readonly weapons: Weapons
}

let over = new AbortController()
let tally: Tally

function begin({ name, count, from, weapons }: AttackOrder): void {
  over = new AbortController()
  tally = { opened: 0, cut: 0, statuses: {} }
  const attack = attacks.find((one) => one.name === name)
  attack?.begin({ from, url: weapons.url, tally, signal: over.signal }, weapons, count)
}

parentPort?.on('message', (order: AttackOrder | 'stop') => {
  if (order !== 'stop') return begin(order)
  over.abort()
  parentPort?.postMessage(tally)
})
