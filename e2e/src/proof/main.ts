/**
 * Proves that the service meets its guarantees under thousands of faults. The check is a function of what clients saw
 * and of the final state: `npm run proof -- --tasks=100000 --faults=5000 --seed=1`. The run is a sequence of rounds,
 * each on separate services. `--resume` continues a stopped run; `--scale=0.1` shortens each fault to a tenth,
 * `--only=kill,freeze` takes only some. Faults mostly wait, so `--at-once=3` rounds at the same time take a third of
 * the time.
 */
import { mkdir } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { startS3 } from '@lathe/testing'
import { conclude, readNumber, readSeed, readWords } from '../command.ts'
import { type FaultName, faultNames } from './faults/fault.ts'
import { addStates, missingStates } from './rare-states.ts'
import { runRound } from './run-round.ts'
import { openRun } from './run-state.ts'

const words = readWords(['tasks', 'faults', 'seed', 'scale', 'only', 'round', 'dir', 'at-once'], ['resume'])
const folder = words.dir ?? '/var/tmp/lathe-proof'
const scale = Number(words.scale ?? 1)
if (!(scale > 0 && scale <= 1)) throw new Error('--scale must be above 0 and at most 1')
const names = words.only ? (words.only.split(',') as FaultName[]) : faultNames
const unknown = names.filter((name) => !faultNames.includes(name))
if (unknown.length > 0) throw new Error(`--only must name some of ${faultNames.join(', ')}`)

await mkdir(folder, { recursive: true })
const run = await openRun(folder, words.resume === true, () => ({
  tasks: readNumber(words.tasks, 500),
  faults: readNumber(words.faults, 25),
  seed: readSeed(words.seed),
  tasksPerRound: readNumber(words.round, 2_000),
  scale,
  names,
}))
// Clients and proxies of all lanes are in this process. If it waits for a processor as long as each of the hundreds that
// it starts, the proxies accept connections later than the service times out.
if (process.getuid?.() === 0) setPriority(-15)

const { plan } = run
const left = [...run.roundsLeft()]
const tell = (line: string) => console.log(line)

let starting: Promise<unknown> = Promise.resolve()
let stopping: Promise<void> | undefined
let unfinished = 0

/** Starts services after those of other lanes are up: many at once would take too long to get ready. */
function startAlone<T>(start: () => Promise<T>): Promise<T> {
  const started = starting.then(start)
  starting = started.catch(() => {})
  return started
}

/** Runs one round after the other, with a store and a folder that no other lane uses. */
async function runLane(lane: number, own: AsyncDisposableStack): Promise<void> {
  const place = join(folder, `lane-${lane}`)
  await mkdir(place, { recursive: true })
  const s3 = own.use(await startS3(join(place, 's3')))
  for (let round = left.shift(); round && !stopping; round = left.shift()) {
    const { n } = round
    // The other lanes go on, and `--resume` runs the round again.
    const result = await runRound({ ...plan, ...round, folder: place, s3, own, startAlone, tell }).catch(
      (error: unknown) => void (stopping ?? tell(`FAILED round ${n + 1} did not end: ${inspect(error)}`)),
    )
    if (!result) {
      unfinished += 1
      continue
    }
    await run.note(result)
    for (const { rule, what } of result.violations.slice(0, 40)) tell(`FAILED ${rule}: ${what}`)
    const { tasks: done, violations: found, longestRecoveryMs, tookS } = result
    tell(
      `round ${n + 1} of ${run.rounds}: ${done} tasks, ${found.length} violations, longest recovery ${longestRecoveryMs} ms, ${tookS} s`,
    )
  }
}

const startedAt = performance.now()
{
  await using own = new AsyncDisposableStack()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stopping ??= own.disposeAsync().finally(() => process.exit(130))
    })
  }
  const lanes = Math.min(left.length, Math.max(1, readNumber(words['at-once'], 1)))
  const running = Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane, own)))
  // Rounds fail when their services are stopped; everything started must end before this process does.
  await running.catch((error: unknown) => stopping ?? Promise.reject(error))
}

const { results } = run
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const tasks = sum(results.map((result) => result.tasks))
const byKind = plan.names.map((name) => [name, sum(results.map(({ faults }) => faults[name] ?? 0))] as const)
const faults = sum(byKind.map(([, count]) => count))
const violations = results.flatMap((result) => result.violations)
const states = addStates(results.map((result) => result.states))
const missing = missingStates(states, faults)
console.log(`${tasks} tasks, ${faults} faults in ${Math.round((performance.now() - startedAt) / 1000)} s`)
for (const [name, count] of byKind) console.log(`${String(count).padStart(8)} ${name}`)
for (const [state, count] of Object.entries(states)) console.log(`${String(count).padStart(8)} times: ${state}`)
for (const state of missing) console.log(`FAILED the run never met: ${state}`)
console.log(
  `${violations.length} violations, longest recovery ${Math.max(0, ...results.map((result) => result.longestRecoveryMs))} ms`,
)
conclude(tasks + faults, violations.length + missing.length + unfinished)
process.exit()
