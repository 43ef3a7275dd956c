/**
 * Runs conversions in the smaller engine roots of the worker images: `npm run family-roots`. For each engine of a
 * family, every operation, input and output format is used at least once. `--root=media` takes one root; build it first
 * with `LATHE_ENGINE_ROOTS=<folder> bash scripts/engine-root.sh --families media` and pass the same folder here.
 * `--only=` works as for the matrix.
 */
import { execFileSync } from 'node:child_process'
import { openPlanBench } from '@lathe/testing'
import { conclude, inParallel, readWords } from '../command.ts'
import { selectPairs } from '../matrix/select-pairs.ts'
import { root as checkout } from '../run-program.ts'
import { noSample } from '../samples/no-sample.ts'
import { describePair, pairs } from '../samples/pair.ts'
import { createSamples } from '../samples/samples.ts'
import { choosePairs, familyRoots } from './choose-pairs.ts'
import { runInRoot } from './run-in-root.ts'

const words = readWords(['root', 'only'])
const chosen = Object.entries(familyRoots).filter(([name]) => words.root === undefined || words.root === name)
if (chosen.length === 0) throw new Error(`roots are ${Object.keys(familyRoots).join(' and ')}`)
const known = selectPairs(
  pairs.filter(({ from }) => noSample[from] === undefined),
  { only: words.only, seed: 0 },
)

await using stack = new AsyncDisposableStack()
const whole = stack.use(await openPlanBench())
const samples = createSamples(whole)

let passed = 0
const faults: string[] = []
for (const [name, families] of chosen) {
  await using own = await openPlanBench(pathOf(name))
  const sample = choosePairs(known, families)
  await inParallel(sample, 2, async (pair) => {
    const fault = await runInRoot({ own, whole, samples }, pair)
    console.error(`${name}: ${describePair(pair)} by ${pair.engine}: ${fault ?? 'done'}`)
    if (fault === undefined) passed += 1
    else faults.push(`${name}: ${describePair(pair)} by ${pair.engine}: ${fault}`)
  })
}
for (const fault of faults) console.log(`FAILED ${fault}`)
conclude(passed, faults.length)

/** The path of the root of these families; throws if it is not built. */
function pathOf(families: string): string {
  const args = [`${checkout}scripts/engine-root.sh`, '--print', '--families', families]
  return execFileSync('bash', args, { encoding: 'utf8' }).trim()
}
