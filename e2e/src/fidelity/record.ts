import { readFile, writeFile } from 'node:fs/promises'
import type { Recorded } from './golden.ts'

const file = new URL('goldens.json', import.meta.url)

/** The recorded results by golden name. */
export async function readRecord(): Promise<Map<string, Recorded>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  return new Map(Object.entries(JSON.parse(text) as Record<string, Recorded>))
}

/** Writes the record sorted by name, one golden per line, without those that no longer exist. */
export async function writeRecord(record: ReadonlyMap<string, Recorded>, names: ReadonlySet<string>): Promise<void> {
  const kept = [...record].filter(([name]) => names.has(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = kept.map(([name, seen]) => `  ${JSON.stringify(name)}: ${JSON.stringify(seen)}`)
  await writeFile(file, `{\n${lines.join(',\n')}\n}\n`)
}
