import { setTimeout as pause } from 'node:timers/promises'
import { createDatabase, type Database } from '@lathe/database'

/** The statements of an actor, released one at a time. */
export interface Gate extends AsyncDisposable {
  readonly database: Database
  /** Whether a statement waits to be released. */
  readonly hasNext: boolean
  /** Whether a statement was released and has not been answered. */
  readonly isUnderWay: boolean
  /** The backend of the current statement. */
  readonly backend: number | undefined
  /** How many statements PostgreSQL refused to end a deadlock. Their transactions were retried without a word. */
  readonly deadlocks: number
  /** Releases the next statement. */
  step(): void
}

/** The parts of a pool connection that are gated. */
interface Connection {
  /** The process id of the backend. */
  readonly processID?: number
  query(...args: unknown[]): unknown
}

interface Waiting {
  readonly client: Connection
  run(): Promise<unknown>
}

/** The SQLSTATE of a transaction that PostgreSQL ended because of a deadlock. */
const deadlockDetected = '40P01'

/** Opens a database on which every statement waits to be released, including those of transactions and their ends. */
export function openGate(url: string): Gate {
  const database = createDatabase({ url: named(url), connections: 2, timeoutMs: 60_000 })
  const waiting: Waiting[] = []
  let current: Connection | undefined
  let deadlocks = 0
  // The pool hands out connections as soon as they are open: they are gated before the first statement.
  const pool = database.pool as unknown as { on(event: 'connect', hold: (client: Connection) => void): void }
  pool.on('connect', hold)

  function hold(client: Connection): void {
    const query = client.query.bind(client)
    const gated = (...args: unknown[]) => {
      // `begin` sees nothing and locks nothing: its order makes no difference.
      if (args[0] === 'begin') return query(...args)
      const callback = typeof args.at(-1) === 'function' ? (args.pop() as (...answer: unknown[]) => void) : undefined
      const answer = new Promise((resolve, reject) => {
        const refuse = (error: { readonly code?: string }) => {
          if (error.code === deadlockDetected) deadlocks += 1
          reject(error)
        }
        const run = () => (query(...args) as Promise<unknown>).then(resolve, refuse)
        waiting.push({ client, run })
      })
      if (!callback) return answer
      answer.then(
        (result) => callback(null, result),
        (error) => callback(error),
      )
      return undefined
    }
    client.query = gated
  }

  return {
    database,
    get hasNext() {
      return waiting.length > 0 && current === undefined
    },
    get isUnderWay() {
      return current !== undefined
    },
    get backend() {
      return current?.processID
    },
    get deadlocks() {
      return deadlocks
    },
    step() {
      const next = waiting.shift()
      if (!next || current) throw new Error('there is no statement to let through')
      current = next.client
      void next.run().finally(() => {
        current = undefined
      })
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** The `application_name` of the connections of gates. */
export const gateName = 'gate'

function named(url: string): string {
  const changed = new URL(url)
  changed.searchParams.set('application_name', gateName)
  return changed.href
}

/** One of two concurrent actors. */
export interface Actor {
  readonly gate: Gate
  act(): Promise<unknown>
}

/** The result of an interleaving: how each actor ended, the order, and where the other actor could have run. */
export interface Interleaving {
  readonly ends: readonly PromiseSettledResult<unknown>[]
  readonly choices: readonly number[]
  /** The positions at which both could run. */
  readonly forks: readonly number[]
}

const stuckMs = 20_000

/** Runs two actors, one statement at a time, in the chosen order wherever both could run. */
export async function interleave(
  actors: readonly [Actor, Actor],
  isBlocked: (backend: number) => Promise<boolean>,
  choose: (position: number) => number,
): Promise<Interleaving> {
  const over = [false, false]
  const acts = actors.map(({ act }, i) =>
    act().finally(() => {
      over[i] = true
    }),
  )
  const ends = Promise.allSettled(acts)
  const limit = performance.now() + stuckMs
  const choices: number[] = []
  const forks: number[] = []
  while (!over.every(Boolean)) {
    if (performance.now() > limit) throw new Error(`stuck after ${choices.join('')}`)
    await settle()
    const free = [0, 1].filter((i) => !over[i] && actors[i]?.gate.hasNext)
    if (free.length === 0) continue
    if (free.length === 2) forks.push(choices.length)
    const wanted = choose(choices.length)
    const chosen = free.length === 2 && free.includes(wanted) ? wanted : (free[0] ?? 0)
    choices.push(chosen)
    actors[chosen]?.gate.step()
  }
  return { ends: await ends, choices, forks }

  async function settle(): Promise<void> {
    for (const i of [0, 1]) await untilStill(i)
  }

  /** Waits until the actor has ended, requests its next statement, or waits for a lock of the other. */
  async function untilStill(i: number): Promise<void> {
    const gate = actors[i]?.gate
    for (let tries = 0; !over[i] && gate && !gate.hasNext && performance.now() < limit; tries++) {
      const { backend } = gate
      if (tries > 2 && backend !== undefined && (await isBlocked(backend))) return
      await (tries < 3 ? new Promise((resolve) => setImmediate(resolve)) : pause(1))
    }
  }
}
