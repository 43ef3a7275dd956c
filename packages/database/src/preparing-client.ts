import pg from 'pg'

// One name a text, in every connection of this process. Texts are our own: values never stand in them, but those that
// name a partition come and go with it. A text that is forgotten gets another name when it comes again.
const names = new Map<string, string>()
const mostNames = 1_000
let named = 0

/**
 * A connection that lets PostgreSQL parse every statement with values once, and not at each use. It knows since when
 * it waits for an answer, so that `watchConnections` can give it up.
 */
export class PreparingClient extends pg.Client {
  /** Since when an answer is due, or undefined if nothing was asked. */
  waitingSince: number | undefined
  /** When PostgreSQL last answered. */
  heardAt = performance.now()
  /** How long to wait for an answer: somewhat longer than PostgreSQL lets a statement run. */
  patienceMs: number

  constructor(config: pg.ClientConfig & { readonly patienceMs?: number } = {}) {
    super(config)
    this.patienceMs = config.patienceMs ?? Number.POSITIVE_INFINITY
    this.connection.on('readyForQuery', () => {
      this.heardAt = performance.now()
      if (this.waitingSince !== undefined) this.waitingSince = this.heardAt
    })
    // Emitted after the last answer that was due.
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

  /** Closes without a goodbye; whatever was asked fails at once. */
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
