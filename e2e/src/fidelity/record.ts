import { readFile, writeFile } from 'node:fs/promises'
import type { Recorded } from './golden.ts'

const file = new URL('goldens.json', import.meta.url)

/** What was seen of each golden when it was last recorded, by its name. */
export async function readRecord(): Promise<Map<string, Recorded>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  return new Map(Object.entries(JSON.parse(text) as Record<string, Recorded>))
}

/** Writes the record in the order of names, a golden a line, without those that are no more. */
export async function writeRecord(record: ReadonlyMap<string, Recorded>, names: ReadonlySet<string>): Promise<void> {
  const kept = [...record].filter(([name]) => names.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = kept.map(([name, seen]) => `  ${JSON.stringify(name)}: ${JSON.stringify(seen)}`)
  await writeFile(file, `{\n${lines.join(',\n')}\n}\n`)
}
