import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing } from '@lathe/runtime'
import { AdminError } from './admin-error.ts'

/** The description of a backup: `manifest.json` next to the dump. */
export interface Manifest {
  readonly format: 1
  /** The release that made it. */
  readonly release: string
  readonly takenAt: string
  readonly server: string
  /** The applied migrations, oldest first. */
  readonly migrations: readonly string[]
  /** Number of rows of every table. */
  readonly counts: Readonly<Record<string, number>>
  /** Ids of the keys it depends on; they reveal nothing about the keys. */
  readonly keys: KeyIds
  readonly dump: { readonly bytes: number; readonly sha256: string }
}

/** The ids of the keys that currently hash API keys and seal credentials. */
export interface KeyIds {
  readonly 'api-keys': string
  readonly credentials: string
}

export const manifestFile = 'manifest.json'
export const dumpFile = 'record.dump'

/** The ids of the keys used for new hashes and credentials. */
export function keyIdsOf(ring: KeyRing): KeyIds {
  return { 'api-keys': ring.of('api-keys')[0].id, credentials: ring.of('credentials')[0].id }
}

/** Reads the manifest of a backup; refuses one of another format version. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, manifestFile)
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new AdminError(`${folder} is not a backup: ${error.message}`)
  })
  const found = parseJson(text)
  if (isManifest(found)) return found
  throw new AdminError(`${file} is not a manifest that this release understands`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isManifest(found: unknown): found is Manifest {
  const { format, counts, dump, migrations, keys } = (found ?? {}) as Partial<Manifest>
  return (
    format === 1 &&
    Array.isArray(migrations) &&
    typeof keys === 'object' &&
    typeof dump?.sha256 === 'string' &&
    Number.isSafeInteger(dump.bytes) &&
    // The table names become part of an SQL script.
    Object.entries(counts ?? {}).every(([table, count]) => /^\w+$/.test(table) && Number.isSafeInteger(count))
  )
}
