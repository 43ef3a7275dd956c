import pg from 'pg'

// One name per statement text, in every connection of this process. The texts are our own and contain no values, but
// those that name a partition come and go with it. A text that was dropped gets a new name when it is used again.
const names = new Map<string, string>()
const mostNames = 1_000
let named = 0

/**
 * A connection that lets PostgreSQL parse every statement with values only once. It records since when it waits for an
 * answer, so that `watchConnections` can close it.
 */
export class PreparingClient extends pg.Client {
  /** Since when an answer is due; undefined if no query is pending. */
  waitingSince: number | undefined
  /** When PostgreSQL last answered. */
  heardAt = performance.now()
  /** How long to wait for an answer: slightly longer than PostgreSQL lets a statement run. */
  patienceMs: number

  constructor(config: pg.ClientConfig & { readonly patienceMs?: number } = {}) {
    super(config)
    this.patienceMs = config.patienceMs ?? Number.POSITIVE_INFINITY
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
    const hasValues = typeof text === 'string' && Array.isArray(values)
    const given = hasValues ? [{ name: nameOf(text), text, values }, undefined, ...rest] : args
    return super.query(...(given as Parameters<pg.Client['query']>))
  }

  // biome-ignore lint/suspicious/noExplicitAny: the forms of `end` are the library's own.
  override end(...args: any[]): any {
    this.waitingSince ??= performance.now()
    return super.end(...(args as Parameters<pg.Client['end']>))
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
  const name = `lathe_${++named}`
  names.set(text, name)
  const [oldest] = names.keys()
  if (names.size > mostNames && oldest !== undefined) names.delete(oldest)
  return name
}
