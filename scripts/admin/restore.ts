import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type Contents, findContents, migrate, sqlAfterRestore, sqlBeforeRestore } from '@lathe/database'
import type { KeyRing } from '@lathe/runtime'
import { AdminError } from './admin-error.ts'
import { dumpFile, keyIdsOf, type Manifest, readManifest } from './manifest.ts'
import { startProgram } from './postgres-program.ts'

export interface RestoreOptions {
  readonly databaseUrl: string
  readonly keys: KeyRing
  /** The folder that `backup` made. */
  readonly from: string
  /** Whether existing data is deleted first. */
  readonly replace: boolean
}

const unusedTries = 10
const unusedPauseMs = 200

export interface Restored {
  readonly manifest: Manifest
  /** Migrations that were not yet in the backup. */
  readonly applied: readonly string[]
  /** Purposes for which the key of the backup is missing in the current key ring. */
  readonly strangeKeys: readonly string[]
}

/**
 * Restores a backup into a database in one transaction: either all of it is restored or the database is unchanged. Then
 * migrates it to the schema of this release.
 */
export async function restore({ databaseUrl, keys, from, replace }: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(from)
  const dump = join(from, dumpFile)
  await verifyDump(dump, manifest.dump)
  const { tables, filled } = await findUnused(databaseUrl)
  const isForeign = tables.length > 0 && !tables.includes('schema_migrations')
  if (!replace && (isForeign || filled.length > 0)) throw new AdminError(notEmpty(isForeign ? tables : filled))
  await load(databaseUrl, dump, { before: sqlBeforeRestore(tables), after: sqlAfterRestore(manifest.counts) })
  const applied = await migrate(databaseUrl)
  return { manifest, applied, strangeKeys: strangeKeys(manifest, keys) }
}

/**
 * Returns the contents of the database once there are no other connections. Connections of a process that just ended
 * stay listed for a moment.
 */
async function findUnused(url: string): Promise<Contents> {
  for (let left = unusedTries; ; left -= 1) {
    const contents = await findContents(url)
    if (contents.connected.length === 0) return contents
    if (left <= 1) throw new AdminError(stopFirst(contents.connected))
    await pause(unusedPauseMs)
  }
}

/** Detects a truncated or changed file before anything is deleted for it. */
async function verifyDump(file: string, { bytes, sha256 }: Manifest['dump']): Promise<void> {
  const hash = createHash('sha256')
  let found = 0
  try {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk)
      found += chunk.length
    }
  } catch (error) {
    throw new AdminError(`Cannot read the dump: ${(error as Error).message}`)
  }
  if (found !== bytes) throw new AdminError(`${file} has ${found} bytes; the manifest names ${bytes}`)
  if (hash.digest('hex') !== sha256) throw new AdminError(`${file} is damaged: its SHA-256 is not that of the manifest`)
}

/** Turns the dump into SQL and passes it to `psql`. Only `after` commits, so a failure before that changes nothing. */
async function load(url: string, dump: string, sql: { readonly before: string; readonly after: string }) {
  const reader = startProgram('pg_restore', ['--no-owner', '--no-privileges', '--file=-', dump], {
    url,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const psql = startProgram('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--file=-'], {
    url,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const input = psql.child.stdin as Writable
  try {
    input.write(sql.before)
    await pipeline(reader.child.stdout as Readable, input, { end: false })
    await reader.ended
    input.end(sql.after)
    await psql.ended
  } catch (error) {
    // The pipe breaks when psql fails: its own error tells why.
    if (psql.child.exitCode !== null) await psql.ended
    throw error
  } finally {
    reader.child.kill()
    psql.child.kill()
  }
}

function strangeKeys({ keys }: Manifest, ring: KeyRing): readonly string[] {
  const now = keyIdsOf(ring)
  return (['api-keys', 'credentials'] as const).filter(
    (purpose) => keys[purpose] !== now[purpose] && !ring.of(purpose).some(({ id }) => id === keys[purpose]),
  )
}

const stopFirst = (connected: readonly string[]) =>
  `${connected.length} other connections to the database are open (${[...new Set(connected)].join(', ')}): stop every api, worker and scheduler first`

const notEmpty = (tables: readonly string[]) =>
  `The database is not empty (${tables.join(', ')}): name another in DATABASE_URL, or delete what is there with --replace`
