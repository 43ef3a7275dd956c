import { createHash } from 'node:crypto'
import pg from 'pg'

// One name per statement text. It is made from the text: if a pooler shares connections unnoticed, a name never stands
// for the statement of another process. The texts are our own and contain no values, but those that name a partition
// come and go with it.
const names = new Map<string, string>()
const mostNames = 1_000

/** PostgreSQL's code for a write on a replica. A new connection may reach the server that takes writes. */
const readOnly = '25006'

/**
 * A connection that lets PostgreSQL parse every statement with values only once, unless a pooler gives each transaction
 * another session. It records since when it waits for an answer, so that `watchConnections` can close it.
 */
export class PreparingClient extends pg.Client {
  /** Since when an answer is due; undefined if no query is pending. */
  waitingSince: number | undefined
  /** When PostgreSQL last answered. */
  heardAt = performance.now()
  /** How long to wait for an answer: slightly longer than PostgreSQL lets a statement run. */
  patienceMs: number
  /** Whether it must not be used again: it has other settings, or leads to a server that has become a replica. */
  isSpent = false
  readonly #prepares: boolean

  constructor(config: pg.ClientConfig & { readonly patienceMs?: number; readonly prepares?: boolean } = {}) {
    super(config)
    this.patienceMs = config.patienceMs ?? Number.POSITIVE_INFINITY
    this.#prepares = config.prepares ?? true
    this.connection.on('readyForQuery', () => {
      this.heardAt = performance.now()
      if (this.waitingSince !== undefined) this.waitingSince = this.heardAt
    })
    // Emitted after the last pending answer.
    this.on('drain', () => {
      this.waitingSince = undefined
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: the many forms of `query` are the library's own.
  override query(...args: any[]): any {
    this.waitingSince ??= performance.now()
    const [text, values, ...rest] = args
    const isPrepared = this.#prepares && typeof text === 'string' && Array.isArray(values)
    const given = isPrepared ? [{ name: nameOf(text), text, values }, undefined, ...rest] : args
    const answer: unknown = super.query(...(given as Parameters<pg.Client['query']>))
    if (answer instanceof Promise) {
      answer.catch((error: { code?: unknown }) => {
        if (error.code === readOnly) this.isSpent = true
      })
    }
    return answer
  }

  // biome-ignore lint/suspicious/noExplicitAny: the forms of `end` are the library's own.
  override end(...args: any[]): any {
    this.waitingSince ??= performance.now()
    return super.end(...(args as Parameters<pg.Client['end']>))
  }

  /** From now on to its end. */
  changePatience(patienceMs: number): void {
    this.patienceMs = patienceMs
    this.isSpent = true
  }

  /** Closes the socket immediately; pending queries fail. */
  abandon(): void {
    const error = Object.assign(new Error('PostgreSQL did not answer in time'), { code: 'ETIMEDOUT' })
    this.connection.stream.destroy(error)
  }
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `lathe_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  const [oldest] = names.keys()
  if (names.size > mostNames && oldest !== undefined) names.delete(oldest)
  return name
}
