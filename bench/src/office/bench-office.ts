import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@lathe/testing'
import { inLanes } from '../parts/lanes.ts'
import { atLeast, atMost, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareRate } from './bare-soffice.ts'
import { type SampleDocument, sizes, writeDocuments } from './documents.ts'
import { batchRate, clientsFigures, openUser, strangersRate, type User } from './through-service.ts'

const goals = { batchToFresh: 5, batchToKept: 2.5, strangersToFresh: 1, twoClients: 1.3 }

/** Converts letters through the whole service, compared with plain LibreOffice in the same run. */
export async function benchOffice(
  report: (measures: readonly Measure[]) => void,
  _only: readonly string[],
  isQuick: boolean,
): Promise<void> {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const documents = await writeDocuments(folder, isQuick ? 2 : 20)
  const mix = sizes
    .map((pages) => `${documents.filter((document) => document.pages === pages).length} of ${pages}`)
    .join(', ')
  say(`${documents.length} docx, by pages: ${mix}`)
  const bare = await measureBare(documents, folder)
  const stack = own.use(await startStack({ env: { WORKER_CONCURRENCY: '0' } }))
  const service = await measureService(stack, documents, isQuick ? 1 : 3)
  report(toMeasures(bare, service))
}

async function measureBare(documents: readonly SampleDocument[], folder: string) {
  const cores = availableParallelism()
  const rate = async (name: string, atOnce: number, profiles: 'fresh' | 'kept') => {
    const found = await bareRate(documents, folder, { atOnce, profiles })
    say(`bare, ${name}: ${found.toFixed(2)} documents/s`)
    return found
  }
  return {
    fresh: await rate('one at a time, fresh profiles', 1, 'fresh'),
    kept: await rate('one at a time, kept profile', 1, 'kept'),
    freshPerCore: await rate(`${cores} at once, fresh profiles`, cores, 'fresh'),
    keptPerCore: await rate(`${cores} at once, kept profiles`, cores, 'kept'),
  }
}

async function measureService(stack: Stack, documents: readonly SampleDocument[], rounds: number) {
  const newUser = async (some: readonly SampleDocument[]) =>
    openUser(stack.url, (await stack.createKey({ slots: 16 })).key, some)
  const user = await newUser(documents)
  const batches: number[] = []
  for (let round = 0; round < rounds; round += 1) batches.push(await batchRate(user))
  const batch = median(batches)
  say(`service, one user's batch: ${batch.toFixed(2)} documents/s`)
  const others: User[] = new Array(documents.length)
  await inLanes(documents.length, 4, async (i) => {
    others[i] = await newUser(documents.slice(i, i + 1))
  })
  const strangers = await strangersRate(others)
  say(`service, every document another user's: ${strangers.toFixed(2)} documents/s`)
  const clients = []
  for (const count of [1, 2, 3]) {
    const users = await Promise.all(Array.from({ length: count }, () => newUser(documents)))
    const figures = await clientsFigures(users, documents)
    say(`service, ${count} clients: ${figures.rate.toFixed(2)} documents/s, ${figures.latency.toFixed(0)} ms each`)
    clients.push(figures)
  }
  return { batch, strangers, clients }
}

type Bare = Awaited<ReturnType<typeof measureBare>>
type Service = Awaited<ReturnType<typeof measureService>>

function toMeasures(bare: Bare, { batch, strangers, clients }: Service): readonly Measure[] {
  const latency = (count: number) => clients[count - 1]?.latency ?? Number.NaN
  return [
    figure('office_bare_fresh', bare.fresh, 'files/s'),
    figure('office_bare_kept', bare.kept, 'files/s'),
    figure('office_bare_fresh_per_core', bare.freshPerCore, 'files/s'),
    figure('office_bare_kept_per_core', bare.keptPerCore, 'files/s'),
    figure('office_batch', batch, 'files/s'),
    atLeast('office_batch_to_fresh', batch / bare.fresh, 'ratio', goals.batchToFresh),
    atLeast('office_batch_to_kept', batch / bare.kept, 'ratio', goals.batchToKept),
    figure('office_batch_to_fresh_per_core', batch / bare.freshPerCore, 'ratio'),
    figure('office_batch_to_kept_per_core', batch / bare.keptPerCore, 'ratio'),
    figure('office_strangers', strangers, 'files/s'),
    atLeast('office_strangers_to_fresh', strangers / bare.fresh, 'ratio', goals.strangersToFresh),
    figure('office_strangers_to_fresh_per_core', strangers / bare.freshPerCore, 'ratio'),
    ...clients.flatMap(({ rate }, n) => [
      figure(`office_clients_${n + 1}`, rate, 'files/s'),
      figure(`office_latency_${n + 1}`, latency(n + 1), 'ms'),
    ]),
    atMost('office_latency_2_to_1', latency(2) / latency(1), 'ratio', goals.twoClients),
  ]
}
