/**
 * Compares outputs with what is known about their inputs: `npm run fidelity`. Runs the engines without the service, and
 * `--service=5` goldens with it. `--only=letter,pdf` takes goldens with these words in their names, `--sample=25
 * --seed=1` some of each kind. `--update` records the observed results instead of comparing them: read the diff before
 * you commit it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPlanBench, startStack } from '@lathe/testing'
import { createChance } from '../chance.ts'
import { createClient } from '../client.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { type Golden, nameOf } from './golden.ts'
import { goldens } from './goldens/all.ts'
import { createInputs } from './inputs.ts'
import { judge } from './judge.ts'
import { type Make, makeByService, makeOnBench } from './make.ts'
import { readRecord, writeRecord } from './record.ts'
import { selectGoldens } from './select-goldens.ts'

const words = readWords(['only', 'sample', 'seed', 'service'], ['update'])
const sample = words.sample === undefined ? undefined : readNumber(words.sample, 0)
const seed = readSeed(words.seed)
const selected = selectGoldens(goldens, { only: words.only, sample, seed })
const record = await readRecord()

await using own = new AsyncDisposableStack()
const bench = own.use(await openPlanBench())
const inputs = createInputs(bench)

async function run(golden: Golden, make: Make, how: string): Promise<boolean> {
  const name = nameOf(golden)
  const known = record.get(name)
  try {
    const { seen, faults } = await judge(bench, golden, await make(golden), words.update ? undefined : known)
    if (words.update) record.set(name, seen)
    const missing = known || words.update ? [] : ['it is not in the record: look at it, then run with --update']
    for (const fault of [...faults, ...missing]) console.log(`FAILED ${how}${name}: ${fault}`)
    return faults.length + missing.length === 0
  } catch (error) {
    console.log(`FAILED ${how}${name}: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 400)}`)
    return false
  }
}

const onBench = makeOnBench(bench, inputs)
const results = [...(await inParallel(selected, 2, (golden) => run(golden, onBench, '')))]

const throughService = readNumber(words.service, 0)
if (throughService > 0) {
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-fidelity-')), (made) => rm(made, { recursive: true }))
  const stack = own.use(await startStack())
  const { key } = await stack.createKey({ slots: 8 })
  const api = createClient({ url: stack.url, key, recordFile: join(folder, 'exercised') })
  const few = createChance(seed).some(selected, throughService)
  const byService = makeByService(api, inputs)
  results.push(...(await inParallel(few, 2, (golden) => run(golden, byService, 'by the service: '))))
}

if (words.update) await writeRecord(record, new Set(Object.values(goldens).flat().map(nameOf)))
conclude(results.filter((isGood) => isGood).length, results.filter((isGood) => !isGood).length)
