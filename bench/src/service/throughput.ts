import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../parts/client.ts'
import type { CpuMeter } from '../parts/cpu-time.ts'
import { inLanes } from '../parts/lanes.ts'
import { atLeast, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareRate } from './bare-convert.ts'

export interface Load {
  readonly name: string
  /** The picture to convert. */
  readonly path: string
  readonly tasks: number
  readonly rounds: number
  readonly goal: number
  /** Tells where the CPU time of a task goes. */
  meterCpu?(): CpuMeter
}

/** Requests under way at once; the answer comes when the task is accepted. */
const width = 8
/** Uploads the tasks take their input from, in turn. */
const uploads = 10
const lookEveryMs = 1_000
const limitMs = 600_000

/** Conversions a second of one user through the service, as a share of what one bare process does with all cores. */
export async function measureThroughput(client: Client, load: Load, folder: string): Promise<readonly Measure[]> {
  const { name, path, tasks, rounds, goal, meterCpu } = load
  const cores = availableParallelism()
  const inputs: string[] = []
  await inLanes(uploads, 2, async () => void inputs.push(await client.upload(path)))
  await serviceRate(client, inputs, cores * 4)
  await bareRate(path, folder, { count: cores * 2, cores })
  const rates = { bare: [] as number[], service: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const alone = await bareRate(path, folder, { count: tasks, cores })
    const cpu = meterCpu?.()
    const through = await serviceRate(client, inputs, tasks)
    if (cpu) say(`${name}, CPU time per task: ${cpu.perTask(tasks)}`)
    say(`${name}, round ${round + 1} of ${rounds}: ${through.toFixed(2)}/s of ${alone.toFixed(2)}/s bare`)
    rates.bare.push(alone)
    rates.service.push(through)
  }
  const bare = median(rates.bare)
  const service = median(rates.service)
  return [
    figure(`${name}_bare`, bare, 'files/s'),
    figure(`${name}_service`, service, 'tasks/s'),
    atLeast(`${name}_ratio`, service / bare, 'ratio', goal),
  ]
}

/** Tasks a second, from the first request to the end of the last task as the record tells it. */
export async function serviceRate(
  client: Client,
  inputs: readonly string[],
  count: number,
  start = (input: string) => client.convert(input),
): Promise<number> {
  const startedAt = Date.now()
  const ids = new Set<string>()
  await inLanes(count, width, async (i) => {
    const { id } = await start(inputs[i % inputs.length] ?? '')
    ids.add(id)
  })
  for (;;) {
    const tasks = (await client.conversions(count)).filter(({ id }) => ids.has(id))
    const bad = tasks.find(({ status }) => ['failed', 'canceled', 'deleted'].includes(status))
    if (bad) throw new Error(`a conversion ended as ${bad.status}: ${bad.result?.msg}`)
    const ends = tasks.flatMap(({ status, endedAt }) =>
      status === 'completed' && endedAt ? [Date.parse(endedAt)] : [],
    )
    if (ends.length === count) return (count * 1000) / (Math.max(...ends) - startedAt)
    if (Date.now() - startedAt > limitMs) throw new Error(`${ends.length} of ${count} conversions ended in time`)
    // One look a second, so that looking costs nothing; the record knows the exact end.
    await pause(lookEveryMs)
  }
}
