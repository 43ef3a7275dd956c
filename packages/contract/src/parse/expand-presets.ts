import type { FieldError } from '@lathe/domain'
import type { Operation, ProcessingOperation } from '@lathe/operations'
import { limits } from '../limits.ts'
import { normalizeId } from '../schemas/common.ts'
import { type Body, isBody } from './check-fields.ts'
import { type ParsedPreset, toFields } from './parse-preset.ts'
import { join } from './path.ts'
import { refuse } from './refuse.ts'

/** The presets that the caller may see, by id. */
export type KnownPresets = ReadonlyMap<string, Pick<ParsedPreset, 'operation' | 'outputFormat' | 'options'>>

/** The ids of presets named in the body of a job; empty if the body is not a job. */
export function presetsOfJob(body: unknown): readonly string[] {
  return [...new Set(definitionsOf(body).flatMap(([, definition]) => presetsOfTask(definition)))]
}

/** The id of the preset named in the body of a task, if any. */
export function presetsOfTask(body: unknown): readonly string[] {
  const id = isBody(body) && typeof body.preset === 'string' ? normalizeId(body.preset) : undefined
  return id === undefined ? [] : [id]
}

/** Expands the presets in the body of a job. */
export function expandJob(body: unknown, presets: KnownPresets): unknown {
  const definitions = definitionsOf(body)
  if (!isBody(body) || !definitions.some(([, definition]) => hasPreset(definition))) return body
  const expanded = definitions.map(([name, definition]) => {
    const operation = isBody(definition) ? definition.operation : undefined
    return [name, expand(definition, operation, presets, join('tasks', name))] as const
  })
  refuse(expanded.flatMap(([, { errors }]) => errors))
  return { ...body, tasks: Object.fromEntries(expanded.map(([name, { body: full }]) => [name, full])) }
}

/** Expands the preset in the body of a task. */
export function expandTask(operation: Operation, body: unknown, presets: KnownPresets): unknown {
  const expanded = expand(body, operation, presets, '')
  refuse(expanded.errors)
  return expanded.body
}

// Bodies with more tasks than allowed are refused later anyway.
function definitionsOf(body: unknown): readonly (readonly [string, unknown])[] {
  const tasks = isBody(body) && isBody(body.tasks) ? Object.entries(body.tasks) : []
  return tasks.length <= limits.tasksPerJob ? tasks : []
}

function hasPreset(definition: unknown): definition is Body {
  return isBody(definition) && definition.preset !== undefined && definition.preset !== null && definition.preset !== ''
}

/** Fields in the request override those of the preset, and so does each option. */
function expand(
  sent: unknown,
  operation: unknown,
  presets: KnownPresets,
  path: string,
): { readonly body: unknown; readonly errors: readonly FieldError[] } {
  if (!hasPreset(sent)) return { body: withoutPreset(sent), errors: [] }
  const { preset: id, ...given } = withoutEmpty(sent)
  const preset = presets.get(typeof id === 'string' ? (normalizeId(id) ?? '') : '')
  if (!preset) {
    const msg = 'is no preset of yours. Give the id of one: 24 hexadecimal digits.'
    return { body: sent, errors: [{ path: join(path, 'preset'), code: 'not_found', msg }] }
  }
  if (operation !== preset.operation) {
    const msg = `is for ${preset.operation satisfies ProcessingOperation}. Use it there, or another one here.`
    return { body: sent, errors: [{ path: join(path, 'preset'), code: 'conflict', msg }] }
  }
  const fields = toFields(preset)
  const options = isBody(given.options) ? { ...preset.options, ...withoutEmpty(given.options) } : given.options
  return { body: { ...fields, ...given, ...(options !== undefined && { options }) }, errors: [] }
}

/** `null` and the empty string mean that a field is not set, so they override nothing. */
function withoutEmpty(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

function withoutPreset(sent: unknown): unknown {
  if (!isBody(sent) || !Object.hasOwn(sent, 'preset')) return sent
  const { preset: _, ...given } = sent
  return given
}
