/**
 * Converts real files with the whole service and with the plain tools of the same engine root, and compares: `npm run
 * corpus -- --dir <dir>... [--only=docx,m4a] [--sample=N --seed=S] [--targets=1] [--resume] [--fresh]`. Results are
 * JSON lines in `.lathe/corpus/results.jsonl`; a run over everything, or one with `--report`, writes
 * docs/real-files.md. `--resume` continues after the last line and repeats what was worse. Results of plain tools are
 * kept until the engine root changes; `--fresh` runs them again, to compare times. `--repeat=10` instead runs each file
 * ten times alone and ten times next to four others, and compares the ends. `--times` instead runs a few files of each
 * conversion alone and compares the times; over everything it writes docs/real-file-times.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatsFor } from '@lathe/engines'
import { openPlanBench, startStack } from '@lathe/testing'
import { createClient } from '../client.ts'
import { inParallel, readNumber, readSeed } from '../command.ts'
import { createProgress, type KeptLines, openKeptLines } from '../kept-lines.ts'
import { findAccepted } from './accepted.ts'
import { collectFiles, type RealFile, selectFiles } from './collect-files.ts'
import { compare } from './compare.ts'
import { LargestOfEach } from './limits/largest.ts'
import { measureInputs } from './limits/measure-inputs.ts'
import { findUnread, measureResult } from './limits/measure-results.ts'
import { renderReport } from './render-report.ts'
import { repeatFiles } from './repeat-files.ts'
import type { Result } from './result.ts'
import { createBareRuns } from './run-bare.ts'
import { runOurs } from './run-ours.ts'
import { askFile, findDisagreements } from './second-opinion.ts'
import { settleFormat } from './settle-format.ts'
import { targetsFor } from './targets.ts'
import { isSlow, mostOfMedian, renderTimes, type Timing, timeFiles, timesByPair } from './time-files.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const { values, positionals } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== '--'),
  allowPositionals: true,
  options: {
    dir: { type: 'string', multiple: true },
    only: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    targets: { type: 'string' },
    repeat: { type: 'string' },
    times: { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, '.lathe', 'corpus') },
    resume: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
})
const dirs = [...(values.dir ?? []), ...positionals].map((dir) => resolve(dir))
if (dirs.length === 0) throw new Error('Name the directories with the files: --dir <dir>...')
const sample = values.sample === undefined ? undefined : readNumber(values.sample, 0)
const seed = sample === undefined ? 0 : readSeed(values.seed)
const most = readNumber(values.targets, 9)
const all = await collectFiles(dirs)
const files = selectFiles(all, { only: values.only, sample, seed })
const targetsOf = ({ ext }: RealFile) => targetsFor(ext).slice(0, most)

await using own = new AsyncDisposableStack()
const bench = own.use(await openPlanBench())
const stack = own.use(await startStack())
const { key } = await stack.createKey({ slots: 8 })
const api = createClient({ url: stack.url, key, recordFile: join(values.out, 'exercised') })
const isWhole = values.only === undefined && sample === undefined
const bareRuns = createBareRuns(bench, { folder: join(values.out, 'bare'), isKept: !values.fresh })

if (values.repeat !== undefined) {
  const unsteady = await repeatFiles({ api, bench }, { files, targetsOf, times: readNumber(values.repeat, 10) })
  console.log(`${files.length} repeated, ${unsteady} ended differently`)
  process.exitCode = unsteady === 0 ? 0 : 1
} else if (values.times) {
  const timings = await timeAll()
  if (isWhole) await writeFile(join(root, 'docs', 'real-file-times.md'), renderTimes(timings))
  const pairs = timesByPair(timings)
  const above = pairs.filter(({ ratio }) => ratio > mostOfMedian)
  for (const { pair, ratio, oursMs, bareMs } of above) {
    console.log(`ABOVE ${pair}: ${ratio.toFixed(2)} times, ${oursMs} ms, bare ${bareMs} ms`)
  }
  const slow = timings.filter(isSlow)
  for (const { file, pair, oursMs, bareMs } of slow)
    console.log(`SLOW ${file} ${pair}: ${oursMs} ms, bare ${bareMs} ms`)
  console.log(
    `${pairs.length} conversions timed, ${above.length} above ${mostOfMedian} times bare, ${slow.length} slow files`,
  )
  process.exitCode = above.length + slow.length === 0 ? 0 : 1
} else {
  const tried = await convertAll()
  const worse = tried.filter((result) => result.verdict === 'worse' && findAccepted(result) === undefined)
  for (const { file, to, why } of worse) console.log(`WORSE ${file} → ${to}: ${why?.replaceAll(/\s+/g, ' ')}`)
  if (isWhole || values.report) await writeFile(join(root, 'docs', 'real-files.md'), await report(tried))
  const converted = tried.filter(({ ours }) => ours.end === 'converted').length
  console.log(`${tried.length} tried, ${converted} converted, ${worse.length} worse than bare`)
  process.exitCode = worse.length === 0 ? 0 : 1
}

async function report(tried: readonly Result[]): Promise<string> {
  const disagreements = findDisagreements(tried, await askFile(all))
  const collections = dirs.map((dir) => basename(dir))
  const most = new LargestOfEach(findUnread(tried))
  for (const result of tried) measureResult(result, most)
  await measureInputs(bench, all, most)
  return renderReport(tried, { collections, total: all.length, measured: most.found, disagreements })
}

async function timeAll(): Promise<readonly Timing[]> {
  const isDone = () => true
  const kept = await openKeptLines<Timing>(join(values.out, 'times.jsonl'), { isResumed: values.resume, isDone })
  return timeFiles({ api, bench }, { files, targetsOf, kept })
}

async function convertAll(): Promise<readonly Result[]> {
  const results = await openKeptLines<Result>(join(values.out, 'results.jsonl'), {
    isResumed: values.resume,
    isDone: ({ verdict }) => verdict !== 'worse',
  })
  const done = new Set(results.before.map(({ file, to }) => `${file}\0${to}`))
  const formatProgress = createProgress(files.length)
  const made = await inParallel(files, 2, async (file) => {
    const targets = targetsOf(file).filter((to) => !done.has(`${file.name}\0${to}`))
    const own = targets.length === 0 ? [] : await convertFile(file, targets, results)
    const progress = formatProgress()
    for (const { to, ours, bare, verdict, why = '' } of own) {
      const times = `${ours.ms} ms, bare ${bare?.ms ?? '-'} ms`
      console.error(`${progress} ${file.name} → ${to}: ${ours.end}, ${times}, ${verdict} ${why}`)
    }
    return own
  })
  const names = new Set(files.map(({ name }) => name))
  return [...results.before.filter(({ file }) => names.has(file)), ...made.flat()]
}

function isOffered(format: string): boolean {
  return formatsFor('convert', { input: format }).length > 0
}

async function convertFile(
  file: RealFile,
  targets: readonly string[],
  results: KeptLines<Result>,
): Promise<readonly Result[]> {
  const content = await readFile(file.path)
  const format = await settleFormat(content, basename(file.path))
  const imported = content.length === 0 ? undefined : await api.importBytes(content, basename(file.path))
  const made: Result[] = []
  for (const to of targets) {
    const bare = await bareRuns.run(file, content, to)
    const ours = imported
      ? await runOurs(api, bench, imported, to)
      : { outcome: { end: 'input_damaged', text: 'The file is empty.', ms: 0 }, words: '' }
    const result: Result = {
      file: file.name,
      size: content.length,
      ext: file.ext,
      format,
      to,
      ...(isOffered(format) ? compare(ours, bare) : { verdict: 'not offered' as const }),
      ours: ours.outcome,
      ...(bare && { bare: bare.outcome }),
      isTimed: bare?.isFresh ?? false,
    }
    // One line per target: a killed run loses only the current conversion.
    await results.add(result)
    made.push(result)
  }
  return made
}
