import { join } from 'node:path'
import type { Client } from '../parts/client.ts'
import { atMost, figure, type Measure, median, say } from '../parts/measure.ts'
import { bareConvert } from './bare-convert.ts'

const warmCalls = 10
const calls = 60
const waitS = 30
const goalMs = 20

/**
 * The time that the service adds to one conversion, request after request, warm: from sending the request to the
 * response that it is completed, minus the engine's time, which the same call without the service takes right before.
 */
export async function measureLatency(client: Client, path: string, folder: string): Promise<readonly Measure[]> {
  const input = await client.upload(path)
  const times = { total: [] as number[], record: [] as number[], engine: [] as number[] }
  for (let call = -warmCalls; call < calls; call += 1) {
    const engine = await timed(() => bareConvert(path, join(folder, 'latency.webp')))
    const total = await timed(() => client.convert(input, waitS))
    const { status, createdAt, endedAt } = total.value
    if (status !== 'completed' || !endedAt) throw new Error(`a conversion was ${status} after ${waitS} s`)
    if (call < 0) continue
    times.engine.push(engine.ms)
    times.total.push(total.ms)
    times.record.push(Date.parse(endedAt) - Date.parse(createdAt))
  }
  const [total, record, engine] = [median(times.total), median(times.record), median(times.engine)]
  say(
    `latency: ${total.toFixed(1)} ms at the client, ${record} ms in the record, of which the engine ${engine.toFixed(1)} ms`,
  )
  return [
    figure('latency_client', total, 'ms'),
    figure('latency_record', record, 'ms'),
    figure('latency_engine', engine, 'ms'),
    atMost('latency_added', total - engine, 'ms', goalMs),
  ]
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now()
  const value = await work()
  return { value, ms: performance.now() - startedAt }
}
