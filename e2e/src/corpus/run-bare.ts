import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PlanBench } from '@lathe/testing'
import { type BareCommand, bareCommand, bareName } from './bare-tools.ts'
import type { RealFile } from './collect-files.ts'
import { type Judged, judge, type Made } from './outcome.ts'

/** Runs plain tools and caches their results, which change only with the engine root. */
export interface BareRuns {
  /** Undefined if no plain tool is known. `isFresh`: it ran just now, so its time can be compared. */
  run(file: RealFile, content: Buffer, to: string): Promise<(Judged & { readonly isFresh: boolean }) | undefined>
}

const limits = { timeMs: 300_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 }

export function createBareRuns(bench: PlanBench, { folder, isKept }: { folder: string; isKept: boolean }): BareRuns {
  const root = basename(bench.sandbox.report.engineRoot)

  return {
    async run(file, content, to) {
      const command = bareCommand(file.ext, to)
      if (command === undefined) return undefined
      const key = createHash('sha256')
        .update(content)
        .update(JSON.stringify([command, root]))
        .digest('hex')
        .slice(0, 32)
      const kept = join(folder, `${key}.json`)
      const known = isKept ? await readFile(kept, 'utf8').catch(() => undefined) : undefined
      if (known !== undefined) return { ...(JSON.parse(known) as Judged), isFresh: false }
      const judged = await runCommand(bench, command, { content, source: `${bareName}.${file.ext}`, to })
      await mkdir(folder, { recursive: true })
      await writeFile(kept, JSON.stringify(judged))
      return { ...judged, isFresh: true }
    },
  }
}

interface Work {
  readonly content: Buffer
  readonly source: string
  readonly to: string
}

async function runCommand(bench: PlanBench, command: BareCommand, work: Work): Promise<Judged> {
  const { ms, end, made } = await runTool(bench, command, work)
  // A tool may report errors and still write a usable file: the output decides.
  if (made.length > 0 && end.kind === 'exited') return judge(bench, made, { ms })
  const how = end.kind === 'exited' ? `exit ${end.code}` : `killed by ${end.by}`
  return { outcome: { end: how, text: end.stderr.slice(-300), ms }, words: '' }
}

/** How long the plain tool takes for a file; undefined if it leaves no output. */
export async function timeBare(
  bench: PlanBench,
  { ext }: RealFile,
  { content, to }: Pick<Work, 'content' | 'to'>,
): Promise<number | undefined> {
  const command = bareCommand(ext, to)
  if (command === undefined) return undefined
  const { ms, made, end } = await runTool(bench, command, { content, source: `${bareName}.${ext}`, to })
  return made.length > 0 && end.kind === 'exited' ? ms : undefined
}

async function runTool(bench: PlanBench, command: BareCommand, { content, source, to }: Work) {
  const { program, args, profile, output } = command
  await using folder = await bench.sandbox.createJobFolder()
  {
    await using file = await folder.createFile(source)
    await file.writeFile(content)
  }
  const started = performance.now()
  const signal = new AbortController().signal
  const end = await bench.sandbox.run({ program, args, profile, limits }, { folder, signal })
  const ms = Math.round(performance.now() - started)
  const names = (await readdir(folder.path)).filter((name) => name !== source && name.startsWith(output))
  const made: Made[] = []
  for (const name of names.sort(new Intl.Collator('en', { numeric: true }).compare)) {
    const ext = name.slice(name.lastIndexOf('.') + 1)
    made.push({ format: ext === 'wav' || ext === 'tiff' ? ext : to, bytes: await readFile(join(folder.path, name)) })
  }
  return { ms, end, made }
}
