/**
 * Runs every advertised pair on a real file through the whole service: `npm run matrix`. A run over all pairs writes
 * the published table. `--only=pdf,convert` takes pairs with these names (operation, engine or format; `png|jpg` for
 * either); `--sample=40 --seed=1` takes some, spread over the engines; `--files=DIR` is a folder with files of formats that no
 * engine writes. Results are JSON lines in `.lathe/matrix/results.jsonl`; `--resume` continues after the last line and
 * repeats what failed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPlanBench, startStack } from '@lathe/testing'
import { createClient } from '../client.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { collectFiles, kindOf } from '../corpus/collect-files.ts'
import { createProgress, openKeptLines } from '../kept-lines.ts'
import { noSample } from '../samples/no-sample.ts'
import { describePair, pairs } from '../samples/pair.ts'
import { createSamples } from '../samples/samples.ts'
import { renderMatrix } from './render-matrix.ts'
import { type PairResult, runPair } from './run-pair.ts'
import { selectPairs } from './select-pairs.ts'

/** The stored result of a pair. */
type Ran = Omit<PairResult, 'pair'> & { readonly name: string }

const page = new URL('../../../docs/matrix.md', import.meta.url)
const folderOfRuns = fileURLToPath(new URL('../../../.lathe/matrix', import.meta.url))
const words = readWords(['only', 'sample', 'seed', 'out', 'files'], ['resume'])
const sample = words.sample === undefined ? undefined : readNumber(words.sample, 0)
const seed = sample === undefined ? 0 : readSeed(words.seed)
const found = words.files === undefined ? [] : await collectFiles([words.files])
const given = new Map(
  [...Map.groupBy(found, ({ ext }) => kindOf(ext))]
    .filter(([format]) => format in noSample)
    .map(([format, files]) => [format, files.map(({ path }) => path)]),
)
const isLeftOut = (format: string) => format in noSample && !given.has(format)
const known = pairs.filter(({ from }) => !isLeftOut(from))
const selected = selectPairs(known, { only: words.only, sample, seed })
const left = Object.entries(noSample)
  .filter(([format]) => isLeftOut(format))
  .map(([format, why]) => `from ${format} (${why})`)
for (const one of left) console.error(`not run: ${one}`)

await using own = new AsyncDisposableStack()
const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-matrix-')), (made) => rm(made, { recursive: true }))
const bench = own.use(await openPlanBench())
const samples = createSamples(bench, given)
const stack = own.use(await startStack())
const { key } = await stack.createKey({ slots: 8 })
const api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })

const kept = await openKeptLines<Ran>(join(words.out ?? folderOfRuns, 'results.jsonl'), {
  isResumed: words.resume ?? false,
  isDone: ({ fault }) => fault === undefined,
})
const before = new Map(kept.before.map(({ name, tookMs }) => [name, tookMs]))
const formatProgress = createProgress(selected.length)
const results = await inParallel(selected, 2, async (pair): Promise<PairResult> => {
  const name = describePair(pair)
  const progress = formatProgress()
  const tookMs = before.get(name)
  if (tookMs !== undefined) return { pair, tookMs }
  const { pair: _, ...end } = await runPair({ api, bench, samples }, pair)
  await kept.add({ name, ...end })
  console.error(`${progress} ${name}: ${end.fault ?? `${end.tookMs} ms`}`)
  return { pair, ...end }
})
if (selected.length === known.length) await writeFile(page, renderMatrix(results, left, new Date()))
const failing = results.filter(({ fault }) => fault !== undefined)
for (const { pair, fault } of failing) console.log(`FAILED ${describePair(pair)} by ${pair.engine}: ${fault}`)
conclude(results.length - failing.length, failing.length)
