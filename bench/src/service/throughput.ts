import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../parts/client.ts'
import type { CpuMeter } from '../parts/cpu-time.ts'
import { inLanes } from '../parts/lanes.ts'
import { atLeast, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareRate } from './bare-convert.ts'

export interface Load {
  readonly name: string
  /** The image to convert. */
  readonly path: string
  readonly tasks: number
  readonly rounds: number
  readonly goal: number
  /** Measures how the CPU time of a task is divided. */
  meterCpu?(): CpuMeter
}

/** Concurrent requests; the response comes when the task is accepted. */
const width = 8
/** Number of uploads that the tasks use as input in turn. */
const uploads = 10
const lookEveryMs = 1_000
const limitMs = 600_000

/** Conversions per second of one user through the service, as a share of what one plain process does with all cores. */
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

/** Tasks per second, from the first request to the recorded end of the last task. */
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
    // One poll per second costs almost nothing; the database has the exact end.
    await pause(lookEveryMs)
  }
}
