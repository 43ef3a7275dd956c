// Proves that no listener misses an event: many jobs, two apis, listeners and apis killed at random.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { findEventHeads } from '@lathe/database'
import { Lathe, type NewJob } from '@lathe/sdk'
import { type AppProcess, startStack, waitFor } from '@lathe/testing'
import { type Chance, createChance } from '../chance.ts'
import { conclude, inParallel, readNumber, readSeed, readWords } from '../command.ts'
import { type Book, createAccountBook, createBook } from './book.ts'
import { createAccountListener, createSocketListener } from './socket-listener.ts'
import { listenBySse } from './sse-listener.ts'
import { pickUrl, type World } from './world.ts'

const words = readWords(['jobs', 'seed'])
const jobCount = readNumber(words.jobs, 60)
const chance = createChance(readSeed(words.seed))

// Enough to keep a small machine busy, few enough that it still responds.
const jobsAtOnce = 40
const socketClients = 8
const killEveryMs = [300, 1200] as const
const apiKillEveryMs = [3000, 40_000] as const
// Generous: a busy machine is not a fault of the service.
const withinMs = 120_000 + jobCount * 500

interface Followed {
  readonly jobId: string
  readonly way: 'sse' | 'socket' | 'sse, late' | 'socket, late'
  readonly book: Book
}

async function createJob(world: World, tasks: NewJob<string>['tasks']): Promise<string> {
  const idempotencyKey = randomUUID()
  // Repeated with the same key, because an api may be killed between its work and its response. Each attempt may go to
  // another api, so the SDK does not retry by itself.
  const create = async () => {
    const lathe = new Lathe({ baseUrl: world.url(), key: world.key, retries: 0, timeoutMs: 10_000 })
    return (await lathe.jobs.create({ tasks }, { idempotencyKey })).id
  }
  return waitFor(() => create().catch(() => undefined), {
    withinMs: 120_000,
    everyMs: 100,
    what: 'a job to be created',
  })
}

/** One to three tiny imports. */
function someTasks({ between }: Chance): NewJob<string>['tasks'] {
  const body = { operation: 'import/base64' as const, file: 'data:text/plain;base64,aGVsbG8=', filename: 'hello.txt' }
  return Object.fromEntries(Array.from({ length: between(1, 3) }, (_, i) => [`t${i}`, body]))
}

async function killNowAndThen(
  [low, high]: readonly [number, number],
  signal: AbortSignal,
  kill: () => void | Promise<void>,
) {
  while (!signal.aborted) {
    await pause(chance.between(low, high), undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await kill()
  }
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000)
}

async function killApi(apis: readonly AppProcess[], counts: World['counts']): Promise<void> {
  const victim = chance.pick(apis)
  counts.apiKills += 1
  await victim.stop('SIGKILL')
  await victim.restart()
}

const startedAt = performance.now()
await using stack = await startStack({
  apis: 2,
  storage: 'disk',
  env: { WORKER_CONCURRENCY: '8' },
  appEnv: { api: { LISTENERS_PER_KEY: '100000', LISTENERS_PER_OWNER: '100000', LISTENERS_AT_ONCE: '100000' } },
})
const { key } = await stack.createKey({ slots: 64 })
const apis = stack.apps('api')
const counts = { listenerKills: 0, apiKills: 0, reconnects: 0 }
const world: World = { key, chance, counts, url: () => pickUrl(apis, chance), deadline: Date.now() + withinMs }
console.log(`the service is up after ${secondsSince(startedAt)} s`)

const accountBook = createAccountBook()
const followed: Followed[] = []
const jobIds: string[] = []
let followedJobs = 0
const workStarted = performance.now()
{
  await using parts = new AsyncDisposableStack()
  const account = parts.use(createAccountListener(world, accountBook))
  const clients = Array.from({ length: socketClients }, () => parts.use(createSocketListener(world)))
  const over = new AbortController()
  const faults = Promise.all([
    killNowAndThen(killEveryMs, over.signal, () => chance.pick([...clients, account]).kill()),
    killNowAndThen(apiKillEveryMs, over.signal, () => killApi(apis, counts)),
  ])
  await inParallel(Array.from({ length: jobCount }), jobsAtOnce, async () => {
    const jobId = await createJob(world, someTasks(chance))
    jobIds.push(jobId)
    const listen = async (way: Followed['way']) => {
      const book = createBook()
      followed.push({ jobId, way, book })
      await (way.startsWith('sse') ? listenBySse(world, jobId, book) : chance.pick(clients).follow(jobId, book))
    }
    await listen(chance.pick(['sse', 'socket']))
    // The job has ended by now, but the listener must still receive all of its events.
    if (chance.between(1, 5) === 1) await listen(chance.pick(['sse, late', 'socket, late']))
    followedJobs += 1
    if (followedJobs % 500 === 0) console.log(`${followedJobs} jobs told after ${secondsSince(workStarted)} s`)
  })
  over.abort()
  await faults
  const heads = await findEventHeads(stack.database.pool, jobIds)
  const isComplete = () => jobIds.every((jobId) => accountBook.fault(jobId, heads.get(jobId) ?? 0) === undefined)
  // The account's listener may have been disconnected last: it gets the time that a lost hint may take.
  await waitFor(isComplete, { withinMs: 60_000, everyMs: 200 }).catch(() => undefined)
}
const tookS = secondsSince(workStarted)

const heads = await findEventHeads(stack.database.pool, jobIds)
const headOf = (jobId: string) => heads.get(jobId) ?? -1
const faults = [
  ...followed.flatMap(({ jobId, way, book }) => {
    const fault = book.fault(headOf(jobId))
    return fault ? [`job ${jobId} by ${way}: ${fault}`] : []
  }),
  ...jobIds.flatMap((jobId) => {
    const fault = accountBook.fault(jobId, headOf(jobId))
    return fault ? [`job ${jobId} by the account: ${fault}`] : []
  }),
]
for (const fault of faults.slice(0, 20)) console.error(fault)
if (faults.length > 0) console.error(stack.tails())
const events = [...heads.values()].reduce((sum, head) => sum + head, 0)
const repeats = followed.reduce((sum, { book }) => sum + book.repeats, accountBook.repeats)
const byWay = Map.groupBy(followed, ({ way }) => way)
console.log(`${jobCount} jobs with ${events} events in ${tookS} s, ${followed.length + 1} listeners`)
console.log([...byWay].map(([way, all]) => `${all.length} by ${way}`).join('; '))
console.log(
  `${counts.listenerKills} listeners and ${counts.apiKills} apis killed, ${counts.reconnects} times connected again, ${repeats} events told more than once`,
)
conclude(followed.length + jobIds.length - faults.length, faults.length)
// A connection that is being refused must not keep the command from ending.
await stack[Symbol.asyncDispose]()
process.exit()
