/**
 * Sends files with flipped bits to every engine through the whole service, and counts how they end: whatever an engine
 * does with one, its task ends once and the worker survives. `npm run mutants -- --count=300 --seed=1 --engine=pdf`;
 * the count is per engine.
 */
import { engines } from '@lathe/engines'
import { createChance } from '../chance.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { startProvedService } from '../proving/service.ts'
import { endOf, startTurn, untilEnded } from '../proving/turn.ts'
import { noSample } from '../samples/no-sample.ts'
import { describePair, pairs } from '../samples/pair.ts'
import { mutate } from './mutate.ts'
import { planMutants } from './plan-mutants.ts'

const words = readWords(['count', 'seed', 'engine'])
const count = readNumber(words.count, 300)
const seed = readSeed(words.seed)
const asked = words.engine === undefined ? engines.map(({ id }) => id) : [words.engine]
const known = pairs.filter(({ from }) => noSample[from] === undefined)
const plan = asked.flatMap((engine) => planMutants(known, engine, count))

await using service = await startProvedService(1)
const { clients, samples } = service
const [api] = clients
const faults: string[] = []
const ends = new Map<string, number>()

await inParallel(plan, 4, async (pair, n) => {
  try {
    const sample = await samples.find(pair.from)
    if (!sample || !api) throw new Error('no sample')
    const mutant = await mutate(sample, createChance(seed + n))
    const end = endOf(await untilEnded(api, (await startTurn(api, pair, mutant)).id))
    const key = `${pair.engine.padEnd(8)} ${end}`
    ends.set(key, (ends.get(key) ?? 0) + 1)
    if (end === 'internal') faults.push(`${describePair(pair)}, mutant ${n}: it broke the service, not the engine`)
  } catch (error) {
    faults.push(`${describePair(pair)}, mutant ${n}: ${(error as Error).message.slice(0, 300)}`)
  }
})

for (const [end, times] of [...ends].sort()) console.log(`${String(times).padStart(6)} ${end}`)
faults.push(...(await service.findFaults()))
for (const fault of faults) console.log(`FAILED ${fault}`)
conclude(Math.max(0, plan.length - faults.length), faults.length)
