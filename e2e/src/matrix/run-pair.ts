import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import { inspect } from '../inspect/inspect.ts'
import { neededOptions, type Pair } from '../samples/pair.ts'
import type { Samples } from '../samples/samples.ts'
import { importBytes } from '../upload.ts'

/** How one advertised pair did on a real file. */
export interface PairResult {
  readonly pair: Pair
  readonly tookMs?: number
  /** Why it failed; absent if the output was opened and is what was asked for. */
  readonly fault?: string
}

export interface Matrix {
  readonly api: Client
  readonly bench: PlanBench
  readonly samples: Samples
}

/** Sends a sample through the whole service and opens what comes back. */
export async function runPair(matrix: Matrix, pair: Pair): Promise<PairResult> {
  try {
    return { pair, tookMs: await timePair(matrix, pair) }
  } catch (error) {
    return { pair, fault: (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 400) }
  }
}

async function timePair({ api, bench, samples }: Matrix, pair: Pair): Promise<number> {
  const { operation, from, to } = pair
  const sample = await samples.find(from)
  if (!sample) throw new Error('no sample')
  const filename = `sample.${from}`
  const input = [(await importBytes(api, sample, filename)).id]
  if (operation === 'merge') input.push((await importBytes(api, sample, filename)).id)
  const target = operation === 'convert' || operation === 'merge' ? { output_format: to } : {}
  const task = await api.run(operation, { input, options: neededOptions(pair), ...target })
  const { files = [], reason, msg } = task.result
  if (task.status !== 'completed') throw new Error(`${task.status}: ${reason} ${msg ?? ''}`)
  if (files.length === 0) throw new Error('completed without a file')
  for (const { url } of files) await inspect(bench, { format: to, bytes: await api.download(url) })
  return Date.parse(task.endedAt ?? '') - Date.parse(task.startedAt ?? '')
}
