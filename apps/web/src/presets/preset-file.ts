import type { Preset } from '@lathe/contract'
import type { PresetContent } from './queries.ts'

const kind = 'lathe-presets'
/** Far more than all presets of an owner. */
export const largestFileBytes = 2_000_000

/** Presets as a file for another account or installation: without ids, users and times. */
export function toPresetFile(presets: readonly Preset[]): string {
  const kept = presets.map(({ name, operation, output_format, options, personal }) => {
    return { name, operation, output_format, options, personal } satisfies PresetContent
  })
  return `${JSON.stringify({ kind, version: 1, presets: kept }, null, 2)}\n`
}

/** Reads such a file; undefined if it is not one. The service checks whether each preset is valid. */
export function parsePresetFile(text: string): readonly PresetContent[] | undefined {
  const file = readJson(text)
  if (!isObject(file) || file.kind !== kind || file.version !== 1 || !Array.isArray(file.presets)) return undefined
  return file.presets.every(isContent) ? file.presets : undefined
}

/** Whether two presets are equal. */
export function isSamePreset(a: PresetContent, b: PresetContent): boolean {
  return (
    a.name === b.name &&
    a.operation === b.operation &&
    a.output_format === b.output_format &&
    a.personal === b.personal &&
    ordered(a.options) === ordered(b.options)
  )
}

function ordered(options: object): string {
  return JSON.stringify(Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isContent(value: unknown): value is PresetContent {
  return (
    isObject(value) &&
    typeof value.name === 'string' &&
    typeof value.operation === 'string' &&
    (value.output_format === null || typeof value.output_format === 'string') &&
    isObject(value.options) &&
    typeof value.personal === 'boolean'
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
