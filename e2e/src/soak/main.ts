/**
 * Sends conversions of all kinds through the whole service, one after another, and monitors the worker's memory, files
 * and processes: `npm run soak -- --count=2000 --seed=1`, or a single engine with `--engine=pdf`.
 */
import { readdirSync } from 'node:fs'
import type { Task } from '@lathe/contract'
import type { AppProcess } from '@lathe/testing'
import type { Client } from '../client.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { startProvedService } from '../proving/service.ts'
import { endOf, startTurn, untilEnded } from '../proving/turn.ts'
import { noSample } from '../samples/no-sample.ts'
import { describePair, pairs } from '../samples/pair.ts'
import { heapEnv, openHeap } from './heap.ts'
import { damage, planSoak, type SoakTask } from './plan-soak.ts'
import { createWatch, type Watch } from './watch.ts'

const words = readWords(['count', 'seed', 'engine'])
const count = readNumber(words.count, 200)
const plan = planSoak(
  pairs.filter(({ from, engine }) => noSample[from] === undefined && engine === (words.engine ?? engine)),
  count,
  readSeed(words.seed),
)

await using service = await startProvedService(3, heapEnv)
const { worker, clients, samples } = service
const faults: string[] = []
const ends = new Map<string, number>()

async function runTask(task: SoakTask): Promise<void> {
  const { pair, kind, user } = task
  const sample = await samples.find(pair.from)
  const api = clients[user]
  if (!sample || !api) return void faults.push(`${describePair(pair)}: no sample`)
  const made = await startTurn(api, pair, kind === 'damaged' ? damage(sample) : sample)
  if (kind === 'cancelled') await cancel(api, made)
  const end = endOf(await untilEnded(api, made.id))
  ends.set(`${kind}: ${end}`, (ends.get(`${kind}: ${end}`) ?? 0) + 1)
  if (kind === 'sound' && end !== 'completed') faults.push(`${describePair(pair)} by ${pair.engine}: ${end}`)
}

// A task that has just ended cannot be canceled, which is fine.
async function cancel(api: Client, { id }: Task): Promise<void> {
  await api.post(`/v1/process/tasks/${id}/cancel`)
}

/** Does all of the work. The worker cannot exit while its heap is being inspected, so the inspection ends here. */
async function soak(): Promise<Watch> {
  using heap = await openHeap(worker)
  const watch = createWatch(count, async () => ({
    heap: await heap.collect(),
    rss: worker.rss(),
    files: openFiles(worker),
  }))
  await inParallel(plan, 4, async (task) => {
    await runTask(task).catch((error) => faults.push(`${describePair(task.pair)}: ${error.message.slice(0, 300)}`))
    await watch.tell()
  })
  return watch
}

const watch = await soak()
console.log(watch.table())
for (const [end, times] of [...ends].sort()) console.log(`${String(times).padStart(6)} ${end}`)
faults.push(...watch.faults(), ...(await service.findFaults()))
for (const fault of faults) console.log(`FAILED ${fault}`)
console.log(faults.length === 0 ? 'PASS' : 'FAIL')
conclude(Math.max(0, count - faults.length), faults.length)

function openFiles({ pid }: AppProcess): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
