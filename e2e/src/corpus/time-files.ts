import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import { createProgress, type KeptLines } from '../kept-lines.ts'
import { median } from '../median.ts'
import { kindOf, type RealFile } from './collect-files.ts'
import { timeBare } from './run-bare.ts'
import { timeOurs } from './run-ours.ts'

/** The median time of one file. Without times if Lathe or the plain tool cannot convert it. */
export interface Timing {
  readonly file: string
  readonly pair: string
  readonly oursMs?: number
  readonly bareMs?: number
}

const rounds = 3
/** Pause before each run, in which the sandbox starts programs for the next file. */
const restMs = 400
/** How many files of each conversion are timed, and how many are tried at most to find them. */
const [filesEach, triedEach] = [3, 9]

interface Timed {
  readonly files: readonly RealFile[]
  readonly targetsOf: (file: RealFile) => readonly string[]
  readonly kept: KeptLines<Timing>
}

/**
 * Times files of every conversion, one at a time, alternating with the plain tool. The tool starts cold, as in a shell.
 * The service has converted the file once before, so its programs are warm.
 */
export async function timeFiles(
  { api, bench }: { api: Client; bench: PlanBench },
  { files, targetsOf, kept }: Timed,
): Promise<readonly Timing[]> {
  const work = files.flatMap((file) => targetsOf(file).map((to) => ({ file, to })))
  const pairs = [...Map.groupBy(work, ({ file, to }) => `${kindOf(file.ext)} → ${to}`)]
  const known = Map.groupBy(kept.before, ({ pair }) => pair)
  const formatProgress = createProgress(pairs.length)
  const all: Timing[] = [...kept.before]
  for (const [pair, own] of pairs) {
    const before = known.get(pair) ?? []
    let found = before.filter(({ oursMs }) => oursMs !== undefined).length
    for (const { file, to } of spread(own, triedEach).slice(before.length)) {
      if (found === filesEach) break
      const timing = { file: file.name, pair, ...(await timeOne(file, to)) }
      await kept.add(timing)
      all.push(timing)
      if ('oursMs' in timing) found += 1
    }
    console.error(`${formatProgress()} ${pair}: ${found} timed`)
  }
  return all

  async function timeOne(file: RealFile, to: string) {
    const content = await readFile(file.path)
    if (content.length === 0 || (await timeBare(bench, file, { content, to })) === undefined) return {}
    const imported = await api.importBytes(content, basename(file.path))
    if ((await timeOurs(api, imported, to)) === undefined) return {}
    const ours: number[] = []
    const bare: number[] = []
    for (let n = 0; n < rounds; n++) {
      await setTimeout(restMs)
      bare.push((await timeBare(bench, file, { content, to })) ?? 0)
      await setTimeout(restMs)
      ours.push((await timeOurs(api, imported, to)) ?? 0)
    }
    return { oursMs: median(ours), bareMs: median(bare) }
  }
}

/** `count` elements, evenly spread from the first to the last. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all
  return Array.from({ length: count }, (_, n) => all[Math.floor((n * all.length) / count)] as T)
}

/** Maximum ratio to the plain tool: for the median of a conversion, and for files that take more than two seconds. */
export const [mostOfMedian, mostOfSlow] = [1.5, 3]

export function isSlow({ oursMs = 0, bareMs = 0 }: Timing): boolean {
  return oursMs > 2000 && oursMs > mostOfSlow * bareMs
}

/** A conversion with the medians of its files. */
export interface PairTime {
  readonly pair: string
  readonly files: number
  readonly ratio: number
  readonly oursMs: number
  readonly bareMs: number
}

/** The conversions that both support, slowest first. */
export function timesByPair(timings: readonly Timing[]): readonly PairTime[] {
  const timed = timings.flatMap(({ pair, oursMs, bareMs }) => {
    return oursMs === undefined || bareMs === undefined ? [] : [{ pair, oursMs, bareMs: Math.max(bareMs, 1) }]
  })
  return [...Map.groupBy(timed, ({ pair }) => pair)]
    .map(([pair, own]) => ({
      pair,
      files: own.length,
      ratio: median(own.map(({ oursMs, bareMs }) => oursMs / bareMs)),
      oursMs: median(own.map(({ oursMs }) => oursMs)),
      bareMs: median(own.map(({ bareMs }) => bareMs)),
    }))
    .sort((a, b) => b.ratio - a.ratio || (a.pair < b.pair ? -1 : 1))
}

/** docs/real-file-times.md. */
export function renderTimes(timings: readonly Timing[]): string {
  const pairs = timesByPair(timings)
  const rows = pairs.map(({ pair, files, ratio, oursMs, bareMs }) => {
    return `| ${pair} | ${files} | ${ratio.toFixed(2)} | ${oursMs} | ${bareMs} |`
  })
  const above = pairs.filter(({ ratio }) => ratio > mostOfMedian).length
  const slow = timings
    .filter(isSlow)
    .map(({ file, pair, oursMs, bareMs }) => `| ${file} | ${pair} | ${oursMs} | ${bareMs} |`)
  return `# Conversion times of real files

The time of conversions compared with the bare command-line tools of the same engine root. \`npm run corpus -- --dir <dir>... --times\` writes this page.

Files are converted one at a time, ${restMs} ms apart, on an otherwise idle machine, alternating with the bare tool. Each runs ${rounds} times, and the table shows medians of up to ${filesEach} files. The bare tool
starts cold in a sandbox of the same kind. Lathe has converted the file once before, so its programs are warm; its time is measured from when a worker claims the task until the result is stored.

${pairs.length} conversions: ${pairs.filter(({ ratio }) => ratio < 1).length} are faster than the bare tool, ${above} take more than ${mostOfMedian} times as long.

| conversion | files | ratio to the bare tool | ms | bare tool, ms |
|---|---|---|---|---|
${rows.join('\n')}

${
  slow.length === 0
    ? `No file that takes more than 2 s takes more than ${mostOfSlow} times as long as with the bare tool.`
    : `Files that take more than 2 s, and more than ${mostOfSlow} times as long as with the bare tool:\n\n| file | conversion | ms | bare tool, ms |\n|---|---|---|---|\n${slow.join('\n')}`
}
`
}
