import { isFailure } from '@lathe/domain'
import { detectFormat } from '@lathe/formats'
import { takesOutputFormat } from '@lathe/operations'
import type { PlanBench } from '@lathe/testing'
import type { Client } from '../client.ts'
import type { Given } from '../inspect/facts.ts'
import type { Golden } from './golden.ts'
import type { Inputs } from './inputs.ts'

/** The result of a golden's conversion. */
export interface Made {
  readonly files: readonly Buffer[]
  /** The first input, for comparison. */
  readonly input: Given
}

/** Runs a golden's conversion; throws with the reason if it fails. */
export type Make = (golden: Golden) => Promise<Made>

/** Plans and runs in the sandbox, without the service. */
export function makeOnBench(bench: PlanBench, inputs: Inputs): Make {
  return async ({ operation, inputs: names, to, options }) => {
    const sources = await Promise.all(names.map(async (name) => readInput(name, await inputs.find(name))))
    const named = sources.map(({ format, bytes }) => ({ format, content: bytes }))
    const end = await bench.run({ operation, sources: named, to, options })
    if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? ''} ${end.detail ?? ''}`)
    return { files: end.files.map(({ bytes }) => bytes), input: firstOf(sources) }
  }
}

/** Uses the whole service. */
export function makeByService(api: Client, inputs: Inputs): Make {
  return async ({ operation, inputs: names, to, options }) => {
    const contents = await Promise.all(names.map((name) => inputs.find(name)))
    const imports: string[] = []
    for (const [n, name] of names.entries()) {
      imports.push((await api.importBytes(contents[n] ?? Buffer.alloc(0), name)).id)
    }
    const target = takesOutputFormat(operation) ? { output_format: to } : {}
    const { status, result } = await api.run(operation, { input: imports, options, ...target })
    if (status !== 'completed') throw new Error(`${status}: ${result.reason} ${result.msg ?? ''}`)
    const files: Buffer[] = []
    for (const { url } of result.files ?? []) files.push(await api.download(url))
    return { files, input: firstOf(names.map((name, n) => readInput(name, contents[n] ?? Buffer.alloc(0)))) }
  }
}

// Detects by content first, like the service; for text the name decides.
function readInput(name: string, bytes: Buffer): Given {
  const detected = detectFormat(bytes)
  const ext = name.slice(name.lastIndexOf('.') + 1)
  return { format: detected?.conclusive ? detected.ext : ext, bytes }
}

function firstOf(sources: readonly Given[]): Given {
  const [first] = sources
  if (!first) throw new Error('a golden without an input')
  return first
}
