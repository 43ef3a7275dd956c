import pg from 'pg'

// One name a text, in every connection of this process. Texts are our own and few: values never stand in them.
const names = new Map<string, string>()

/** A connection that lets PostgreSQL parse every statement with values once, and not at each use. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the many forms of `query` are the library's own.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const named = typeof text === 'string' && Array.isArray(values)
    const given = named ? [{ name: nameOf(text), text, values }, undefined, ...rest] : args
    return super.query(...(given as Parameters<pg.Client['query']>))
  }
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `lathe_${names.size + 1}`
  names.set(text, name)
  return name
}
