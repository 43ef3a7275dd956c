import { splitName } from '@lathe/formats'
import { isFormatOpen } from '@lathe/operations'
import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import { inspect } from '../inspect/inspect.ts'
import { startTurn, untilEnded } from '../proving/turn.ts'
import type { Pair } from '../samples/pair.ts'
import { findSample, type Samples } from '../samples/samples.ts'

/** The result of one advertised pair on a real file. */
export interface PairResult {
  readonly pair: Pair
  readonly tookMs?: number
  /** Why it failed; absent if the output was opened and is as requested. */
  readonly fault?: string
}

export interface Matrix {
  readonly api: Client
  readonly bench: PlanBench
  readonly samples: Samples
}

/** Sends a sample through the whole service and opens the result. */
export async function runPair(matrix: Matrix, pair: Pair): Promise<PairResult> {
  try {
    return { pair, tookMs: await timePair(matrix, pair) }
  } catch (error) {
    return { pair, fault: (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 400) }
  }
}

async function timePair({ api, bench, samples }: Matrix, pair: Pair): Promise<number> {
  const sample = await findSample(samples, pair)
  if (!sample) throw new Error('no sample')
  const made = await startTurn(api, pair, sample)
  const { status, result, startedAt, endedAt } = await untilEnded(api, made.id)
  if (status !== 'completed') throw new Error(`${status}: ${result.reason} ${result.msg ?? ''}`)
  const { files = [], warnings = [] } = result
  const tookMs = Date.parse(endedAt ?? '') - Date.parse(startedAt ?? '')
  if (files.length === 0) throw new Error('completed without a file')
  // Samples of proprietary formats contain music or silence.
  if (warnings.some((warning) => warning.startsWith('No speech was recognized'))) return tookMs
  for (const { url, filename = '' } of files) {
    const format = isFormatOpen(pair.operation) ? splitName(filename).ext : pair.to
    await inspect(bench, { format, bytes: await api.download(url) })
  }
  return tookMs
}
