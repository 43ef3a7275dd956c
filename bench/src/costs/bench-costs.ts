import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Stack, startStack } from '@lathe/testing'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import { writeDocuments } from '../office/documents.ts'
import { type Client, createClient } from '../parts/client.ts'
import { inLanes } from '../parts/lanes.ts'
import { figure, type Measure, say } from '../parts/measure.ts'
import { stackMeter } from '../parts/stack-cpu.ts'
import { runBare } from '../video/bare-ffmpeg.ts'
import { recordings } from '../video/recordings.ts'
import { costOf } from './cost-of.ts'
import prices from './prices.json' with { type: 'json' }
import { watchEngines } from './watch-engines.ts'

const waitS = 60
// Long intervals, so that polling costs almost nothing.
const lookEveryMs = 5_000
const slots = 16
const width = 8

interface Kind {
  readonly name: string
  readonly count: number
  readonly client: Client
  /** The upload to convert. */
  readonly input: string
  readonly to: string
}

/**
 * CPU time of conversions by kind through the whole service, and the cost of a million of them at the prices in
 * prices.json. CPU time is also valid on a busy machine. The object store is not counted: it is paid per request.
 */
export async function benchCosts(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[],
  isQuick: boolean,
): Promise<void> {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const stack = own.use(await startStack({ privatePostgres: true, env: { WORKER_CONCURRENCY: '0' } }))
  const meterCpu = await stackMeter(stack)
  for (const make of [makeImages, makeDocuments, makeVideos]) {
    const kind = await make(stack, folder, isQuick)
    if (only.length > 0 && !only.includes(kind.name)) continue
    // The first conversions start engines that the others reuse.
    if (kind.count > 1) await convertAll({ ...kind, count: width })
    using engines = watchEngines(stack.apps('worker').map(({ pid }) => pid))
    const cpu = meterCpu()
    await convertAll(kind)
    const { api = 0, worker = 0, postgres = 0, redis = 0 } = cpu.parts
    const parts = { api, worker, postgres, redis, engines: engines.ms }
    const each = Object.entries(parts).map(([name, ms]) => `${name} ${(ms / kind.count).toFixed(1)} ms`)
    say(`${kind.name}, CPU time per conversion: ${each.join(', ')}`)
    const cpuS = Object.values(parts).reduce((sum, ms) => sum + ms, 0) / kind.count / 1000
    report(measuresOf(kind.name, cpuS))
  }
}

function measuresOf(kind: string, cpuS: number): readonly Measure[] {
  const { compute, computeSpot, requests, egress, sum } = costOf(kind, cpuS, prices)
  const dollars = (what: string, value: number) => figure(`costs: ${kind}, ${what}`, value, '$ per million')
  return [
    figure(`costs: ${kind}, CPU time`, cpuS, 's'),
    dollars('machines', compute),
    dollars('spot machines', computeSpot),
    dollars('requests to the store', requests),
    dollars('traffic', egress),
    dollars('sum', sum),
  ]
}

/** Several at once, so that the idle CPU time of processes does not count. */
const convertAll = (kind: Kind) => inLanes(kind.count, width, () => convertOne(kind))

async function convertOne({ client, input, to }: Kind): Promise<void> {
  let task = await client.convertTo(input, to, {}, waitS)
  const { id } = task
  while (task.status === 'created' || task.status === 'processing') {
    await pause(lookEveryMs)
    task = await client.task(id)
  }
  if (task.status !== 'completed') throw new Error(`a conversion was ${task.status}: ${task.result?.msg ?? ''}`)
}

const newClient = async (stack: Stack) => createClient(stack.url, (await stack.createKey({ slots })).key)

async function makeImages(stack: Stack, _folder: string, isQuick: boolean): Promise<Kind> {
  const client = await newClient(stack)
  const input = await client.upload(fixturePath('photo-40k.jpg'))
  return { name: 'image', count: isQuick ? 20 : 200, client, input, to: 'webp' }
}

/** One-page letters of one owner: engines stay warm. */
async function makeDocuments(stack: Stack, folder: string, isQuick: boolean): Promise<Kind> {
  const client = await newClient(stack)
  const [document] = await writeDocuments(folder, 1)
  const input = await client.upload(document?.path ?? '')
  return { name: 'office', count: isQuick ? 10 : 60, client, input, to: 'pdf' }
}

async function makeVideos(stack: Stack, folder: string, isQuick: boolean): Promise<Kind> {
  const client = await newClient(stack)
  const recording = recordings.find(({ name }) => name === 'video')
  if (!recording) throw new Error('there is no video to convert')
  const file = `video.${recording.from}`
  const seconds = isQuick ? recording.seconds.quick : recording.seconds.full
  await runBare(folder, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...recording.make(seconds), file])
  return { name: 'video', count: 1, client, input: await client.upload(join(folder, file)), to: recording.to }
}
