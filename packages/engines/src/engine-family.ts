import type { EngineFamily } from '@lathe/domain'
import { findFormat } from '@lathe/formats'
import { type GivenOptions, type ProcessingOperation, usualOutput } from '@lathe/operations'
import { advertised, findAbility, findEngine, findTool, formatsOf } from './registry.ts'

/** What decides a task's family. */
export interface FamilyQuestion {
  readonly operation: ProcessingOperation
  /** Format of the first file. */
  readonly from: string
  /** Output format; if undefined, the usual output of the operation, or else `from`. */
  readonly to: string | undefined
  readonly options: GivenOptions | undefined
}

/** The family of the engine that runs a task; undefined if no engine can. */
export function familyOf({ operation, from, to, options }: FamilyQuestion): EngineFamily | undefined {
  const target = to ?? usualOutput(operation, from) ?? from
  const engine = findEngine(operation, from, target)
  return engine && readsText(options) ? 'ocr' : (findAbility(operation, from, target)?.family ?? engine?.family)
}

const readsText = (options: GivenOptions | undefined) => options?.ocr === true

/** Families by input format, for one operation and target: all that is known before the input is inspected. */
export type FamilyTable = Readonly<Record<string, EngineFamily>>

const tables = new Map<string, FamilyTable>()

/** The families for every input format that the operation accepts. */
export function familiesFor({ operation, to, options }: Omit<FamilyQuestion, 'from'>): FamilyTable {
  const key = `${operation} ${(to && findFormat(to)?.ext) ?? ''} ${readsText(options)}`
  const known = tables.get(key)
  if (known) return known
  const own = advertised.filter((ability) => ability.operation === operation)
  const table = Object.fromEntries(
    own
      .flatMap((ability) => formatsOf(ability.from))
      .flatMap((from) => {
        const family = familyOf({ operation, from, to, options })
        return family ? [[from, family]] : []
      }),
  )
  tables.set(key, table)
  return table
}

/** The family that a tool is installed with. */
export function familyOfTool(name: string): EngineFamily {
  const tool = findTool(name)
  if (!tool) throw new Error(`there is no tool ${name}`)
  return tool.family
}
