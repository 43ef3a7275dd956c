import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Entry } from './history.ts'

/** Everything the clients of a run saw, in the order they saw it. */
export interface History extends AsyncDisposable {
  note(entry: Entry): void
}

/** Opens a new history, one JSON object per line. */
export function openHistory(file: string): History {
  const out = createWriteStream(file, { flags: 'w' })
  return {
    note: (entry) => void out.write(`${JSON.stringify(entry)}\n`),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve, reject) => out.end((err?: Error | null) => (err ? reject(err) : resolve()))),
  }
}

/** Reads a closed history. */
export async function readHistory(file: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const line of createInterface({ input: createReadStream(file) })) entries.push(JSON.parse(line))
  return entries
}
