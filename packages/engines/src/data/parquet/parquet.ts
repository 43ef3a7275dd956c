import type { CallStep, Findings, JsonObject } from '../../engine.ts'
import { GiB, MiB, type Tool, usualProfile } from '../../tool.ts'
import { groupLimits, heapMiB, parquetLimits, parquetStepLimits } from './limits.ts'

/** Node with hyparquet and hyparquet-writer. It uses 50 MiB while idle. */
export const parquetTool: Tool = {
  name: 'parquet',
  family: 'pdf',
  program: 'opt/lathe/node_modules/hyparquet',
  profile: {
    ...usualProfile,
    parts: [...usualProfile.parts, 'opt/lathe/node_modules'],
    memoryBytes: 3 * GiB,
    cpus: 2,
  },
  runner: { script: new URL('runner.mjs', import.meta.url), serves: 'one call', keepBytes: 128 * MiB },
}

/** The runner's arguments for one conversion. */
interface ParquetRun {
  readonly input: string
  readonly output: string
}

function call(op: string, ask: ParquetRun & JsonObject): CallStep {
  const request = { op, ask, heapMiB }
  return { kind: 'call', runner: parquetTool.name, request, outputs: [ask.output], limits: parquetStepLimits }
}

/** Reads a table into CSV, TSV, JSON or JSON Lines. */
export function readCall(run: ParquetRun & { to: string; indent: number; separator: string }): CallStep {
  return call('read', { ...run, limits: { ...parquetLimits } })
}

/** Writes a table from a grid file, which the Python script of this engine creates. */
export function writeCall(run: ParquetRun & { compression: string }): CallStep {
  return call('write', { ...run, limits: { ...groupLimits } })
}

/** The runner's counts, by the words of warnings. */
export function countsOf({ results }: Findings): readonly (readonly [word: string, times: number])[] {
  return results.flatMap(({ counts }) =>
    typeof counts === 'object' && counts !== null && !Array.isArray(counts)
      ? Object.entries(counts).flatMap(([word, times]) =>
          typeof times === 'number' && times > 0 ? [[word, times] as const] : [],
        )
      : [],
  )
}
