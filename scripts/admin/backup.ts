import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withSnapshot } from '@lathe/database'
import type { KeyRing } from '@lathe/runtime'
import { AdminError } from './admin-error.ts'
import { dumpFile, keyIdsOf, type Manifest, manifestFile } from './manifest.ts'
import { startProgram } from './postgres-program.ts'

export interface BackupOptions {
  readonly databaseUrl: string
  readonly keys: KeyRing
  /** The folder to create. */
  readonly into: string
}

/**
 * Writes a consistent snapshot of the whole database into a new folder. The folder appears once everything is on disk.
 */
export async function backup({ databaseUrl, keys, into }: BackupOptions): Promise<Manifest> {
  const folder = resolve(into)
  const draft = `${folder}.partial`
  if (existsSync(folder)) throw new AdminError(`${folder} is there already: name a new folder`)
  await makeDraft(draft)
  try {
    const manifest = await withSnapshot(databaseUrl, async ({ id, takenAt, server, migrations, counts }) => ({
      format: 1 as const,
      release: releaseOf(),
      takenAt: takenAt.toISOString(),
      server,
      migrations,
      counts,
      keys: keyIdsOf(keys),
      dump: await writeDump(databaseUrl, id, join(draft, dumpFile)),
    }))
    const text = `${JSON.stringify(manifest, null, 2)}\n`
    await writeFile(join(draft, manifestFile), text, { mode: 0o600, flush: true })
    await syncFolder(draft)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** The backup contains hashes of API keys and sealed credentials: only its owner may read it. */
async function makeDraft(draft: string): Promise<void> {
  await mkdir(draft, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw new AdminError(`Cannot write to ${dirname(draft)}: ${error.message}`)
    throw new AdminError(`${draft} is left of a backup that broke off, or of one that runs: remove it, or name another`)
  })
}

/** Streams the dump to the file without holding it in memory. */
async function writeDump(url: string, snapshot: string, file: string): Promise<Manifest['dump']> {
  const args = ['--format=custom', `--snapshot=${snapshot}`, '--no-owner', '--no-privileges', '--no-publications']
  const { child, ended } = startProgram('pg_dump', [...args, '--no-subscriptions'], {
    url,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const hash = createHash('sha256')
  let bytes = 0
  async function* measured(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  try {
    const out = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(child.stdout as Readable, measured, out)
    await ended
  } finally {
    child.kill()
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

function releaseOf(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
