import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Stack, startStack } from '@lathe/testing'
import { type Client, createClient } from '../parts/client.ts'
import { atLeast, atMost, figure, type Measure, median, say } from '../parts/measure.ts'
import { planBare, runBare } from './bare-ffmpeg.ts'
import { type Recording, recordings } from './recordings.ts'
import { type StorageTimes, timeStorage } from './time-storage.ts'

const goal = 0.95
// R17. docs/scaling.md has the reason why it is not met where hashing and the storage take longer than the copy.
const remuxGoal = 2
// One poll per second takes nothing from the engine; the database has the exact end.
const lookEveryMs = 1_000
const limitMs = 1_800_000

/** Converts recordings through the whole service, compared with plain FFmpeg with the same arguments in one run. */
export async function benchVideo(
  report: (measures: readonly Measure[]) => void,
  only: readonly string[],
  isQuick: boolean,
): Promise<void> {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-bench-')), (made) => rm(made, { recursive: true }))
  const stack = own.use(await startStack({ env: { WORKER_CONCURRENCY: '0' } }))
  const client = createClient(stack.url, (await stack.createKey({ slots: 2 })).key)
  for (const recording of recordings.filter(({ name }) => only.length === 0 || only.includes(name))) {
    report(await measure(client, recording, { folder, isQuick, stack }))
  }
}

interface Place {
  readonly folder: string
  readonly isQuick: boolean
  readonly stack: Stack
}

async function measure(client: Client, recording: Recording, place: Place): Promise<readonly Measure[]> {
  const { folder, isQuick, stack } = place
  const { name, from, to, seconds, make } = recording
  const length = isQuick ? seconds.quick : seconds.full
  const file = `${name}.${from}`
  await runBare(folder, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...make(length), file])
  const bare = await planBare(folder, join(folder, file), from, to)
  if (bare.isRemux !== (name === 'remux')) throw new Error(`${name}: ${bare.args.join(' ')}`)
  const input = await client.upload(join(folder, file))
  const times = { bare: [] as number[], service: [] as number[], storage: [] as StorageTimes[] }
  for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
    times.bare.push(await bare.run())
    if (bare.isRemux) times.storage.push(await timeStorage(stack, join(folder, file), bare.result))
    times.service.push(await throughService(client, input, to))
    say(`${name}, round ${round + 1}: ${times.service.at(-1)?.toFixed(2)} s, bare ${times.bare.at(-1)?.toFixed(2)} s`)
  }
  const [alone, through] = [median(times.bare), median(times.service)]
  const figures = [figure(`${name}_bare`, alone, 's'), figure(`${name}_service`, through, 's')]
  if (name === 'remux') return [...figures, ...remuxMeasures(alone, through, times.storage)]
  return [...figures, atLeast(`${name}_ratio`, alone / through, 'ratio', goal)]
}

/** Copying streams takes a moment, so it is compared with the storage too: no service is faster than both together. */
function remuxMeasures(alone: number, through: number, storage: readonly StorageTimes[]): readonly Measure[] {
  const [read, write] = [median(storage.map((one) => one.read)), median(storage.map((one) => one.write))]
  const floor = read + alone + write
  return [
    figure('remux_storage_read', read, 's'),
    figure('remux_storage_write', write, 's'),
    figure('R17_remux_floor', floor, 's'),
    figure('R17_remux_to_floor', through / floor, 'ratio'),
    atMost('R17_remux_to_bare', through / alone, 'ratio', remuxGoal),
  ]
}

/** Seconds from the request to the recorded end of its task. */
async function throughService(client: Client, input: string, to: string): Promise<number> {
  const startedAt = Date.now()
  const { id } = await client.convertTo(input, to, {})
  for (;;) {
    const task = await client.task(id)
    if (task.status === 'completed' && task.endedAt) return (Date.parse(task.endedAt) - startedAt) / 1000
    if (['failed', 'canceled', 'deleted'].includes(task.status)) {
      throw new Error(`a conversion ended as ${task.status}: ${task.result?.msg}`)
    }
    if (Date.now() - startedAt > limitMs) throw new Error('a conversion did not end in time')
    await pause(lookEveryMs)
  }
}
