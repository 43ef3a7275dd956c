/**
 * Runs every advertised pair on a real file through the whole service: `npm run matrix`. A run over all pairs writes
 * the published table. `--only=pdf,convert` takes pairs with these names (operation, engine or format; `png|jpg` for either);
 * `--sample=40 --seed=1` takes some, spread over the engines.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlanBench, startStack } from '@lathe/testing'
import { createClient } from '../client.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { noSample } from '../samples/no-sample.ts'
import { pairs, tellPair } from '../samples/pair.ts'
import { createSamples } from '../samples/samples.ts'
import { renderMatrix } from './render-matrix.ts'
import { type PairResult, runPair } from './run-pair.ts'
import { selectPairs } from './select-pairs.ts'

const page = new URL('../../../docs/matrix.md', import.meta.url)
const words = readWords(['only', 'sample', 'seed'])
const sample = words.sample === undefined ? undefined : readNumber(words.sample, 0)
const seed = sample === undefined ? 0 : readSeed(words.seed)
const known = pairs.filter(({ from }) => noSample[from] === undefined)
const selected = selectPairs(known, { only: words.only, sample, seed })
const left = Object.entries(noSample).map(([format, why]) => `from ${format} (${why})`)
for (const one of left) console.error(`not run: ${one}`)

await using own = new AsyncDisposableStack()
const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-matrix-')), (made) => rm(made, { recursive: true }))
const bench = own.use(await openPlanBench())
const samples = createSamples(bench)
const stack = own.use(await startStack())
const { key } = await stack.createKey({ slots: 8 })
const api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })

const results = await inParallel(selected, 2, async (pair): Promise<PairResult> => {
  const result = await runPair({ api, bench, samples }, pair)
  console.error(`${tellPair(pair)}: ${result.fault ?? `${result.tookMs} ms`}`)
  return result
})
if (selected.length === known.length) await writeFile(page, renderMatrix(results, left, new Date()))
const failing = results.filter(({ fault }) => fault !== undefined)
for (const { pair, fault } of failing) console.log(`FAILED ${tellPair(pair)} by ${pair.engine}: ${fault}`)
conclude(results.length - failing.length, failing.length)
