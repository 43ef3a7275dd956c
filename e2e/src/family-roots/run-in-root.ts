import { isFailure } from '@lathe/domain'
import { isFormatOpen, needsSeveral, rolesOf } from '@lathe/operations'
import type { BenchRequest, PlanBench } from '@lathe/testing'
import { inspect } from '../inspect/inspect.ts'
import { neededOptions, type Pair } from '../samples/pair.ts'
import { findSample, type Samples } from '../samples/samples.ts'

export interface Benches {
  /** Uses the root of one family. */
  readonly own: PlanBench
  /** Uses the whole root: it makes samples and opens outputs, because programs of other families do that. */
  readonly whole: PlanBench
  readonly samples: Samples
}

/** Runs a pair in the root of its family and opens the output; returns what is wrong. */
export async function runInRoot({ own, whole, samples }: Benches, pair: Pair): Promise<string | undefined> {
  const content = await findSample(samples, pair)
  if (!content) return 'no sample'
  const request = toRequest(pair, content)
  const fault = await faultOf(own, whole, request)
  if (fault === undefined) return undefined
  const isEverywhere = (await faultOf(whole, whole, request)) !== undefined
  return isEverywhere ? `${fault} (and so in the whole root)` : fault
}

async function faultOf(bench: PlanBench, opener: PlanBench, request: BenchRequest): Promise<string | undefined> {
  try {
    const end = await bench.run(request)
    if (isFailure(end))
      return `${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`.replaceAll(/\s+/g, ' ').slice(0, 600)
    if (end.files.length === 0) return 'no file came out'
    // Samples of proprietary formats contain music or silence.
    if (end.warnings.some((warning) => warning.startsWith('No speech was recognized'))) return undefined
    for (const { format, bytes } of end.files) {
      await inspect(opener, { format: isFormatOpen(request.operation) ? format : request.to, bytes })
    }
    return undefined
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 600)
  }
}

function toRequest(pair: Pair, content: Buffer): BenchRequest {
  const { operation, from, to } = pair
  const source = { format: from, content }
  const needed = Object.entries(rolesOf(operation)).filter(([, { isOptional }]) => !isOptional)
  return {
    operation,
    sources: needsSeveral(operation) ? [source, source] : [source],
    roles: Object.fromEntries(needed.map(([role]) => [role, source])),
    to,
    options: neededOptions(pair),
  }
}
