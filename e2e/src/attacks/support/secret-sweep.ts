import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '@lathe/testing'

/** Where tokens were found: location and token, without duplicates. */
export type Findings = ReadonlySet<string>

/** Repeatedly checks the command line and environment of every process on the machine until it is disposed. */
export function watchProcesses(tokens: readonly string[]): AsyncDisposable & { readonly findings: Findings } {
  const findings = new Set<string>()
  let stopped = false
  async function look(): Promise<void> {
    for (const pid of await processIds()) {
      const texts = await Promise.all(['cmdline', 'environ'].map((file) => readText(`/proc/${pid}/${file}`)))
      for (const token of tokens)
        if (texts.some((text) => text.includes(token))) findings.add(`process ${pid}: ${token}`)
    }
  }
  const watching = (async () => {
    while (!stopped) {
      await look()
      await pause(20)
    }
  })()
  return {
    findings,
    async [Symbol.asyncDispose]() {
      stopped = true
      await watching
    },
  }
}

async function processIds(): Promise<readonly string[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
}

// A file that disappears while it is read counts as empty.
function readText(file: string): Promise<string> {
  return readFile(file, 'latin1').catch(() => '')
}

/**
 * Everything a stack has written: the files of its PostgreSQL with the write-ahead log, a dump of its Redis, stored
 * objects, scratch space and the logs of all processes are in one folder; the database is also read as text.
 */
export async function sweepStack(stack: Stack, tokens: readonly string[]): Promise<Findings> {
  const findings = new Set<string>()
  const folder = join(stack.scratchDir, '..')
  await stack.database.pool.query('checkpoint')
  await stack.redis.command('SAVE')
  for (const file of await filesIn(folder)) {
    const text = await readText(file)
    for (const token of tokens) if (text.includes(token)) findings.add(`${file.slice(folder.length)}: ${token}`)
  }
  for (const found of await sweepTables(stack, tokens)) findings.add(found)
  for (const { name, log } of stack.processes) {
    for (const token of tokens) if (log().includes(token)) findings.add(`output of ${name}: ${token}`)
  }
  return findings
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function sweepTables({ database }: Stack, tokens: readonly string[]): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await database.pool.query<{ token: string }>(
      `select distinct t.token from unnest($1::text[]) as t(token), "${name}" as r where strpos(r::text, t.token) > 0`,
      [tokens],
    )
    found.push(...hits.map(({ token }) => `table ${name}: ${token}`))
  }
  return found
}
