import type { FieldError } from '@lathe/domain'
import { secretOptions } from '@lathe/engines'
import type { ProcessingOperation } from '@lathe/operations'
import { presetBody, presetChangeBody } from '../bodies/preset-bodies.ts'
import { normalizeFormat } from '../explain-pair.ts'
import { type Body, isBody } from './check-fields.ts'
import { readBody } from './read-body.ts'
import { readTask } from './read-task.ts'
import { refuse } from './refuse.ts'

/** A preset as a valid request describes it. */
export interface ParsedPreset {
  readonly name: string
  readonly operation: ProcessingOperation
  readonly outputFormat: string | null
  readonly options: Readonly<Record<string, unknown>>
  readonly personal: boolean
}

/** Reads the body of a new preset, or throws a Problem that names every faulty field. */
export function parsePreset(sent: unknown): ParsedPreset {
  const { name, operation, output_format: to, options = {}, personal = false } = readBody(presetBody, sent)
  return checked({ name, operation, outputFormat: to === undefined ? null : normalizeFormat(to), options, personal })
}

/** Applies changes to a preset. An empty format and empty options are removed. */
export function parsePresetChange(sent: unknown, preset: ParsedPreset): ParsedPreset {
  const change = readBody(presetChangeBody, sent ?? {})
  const isCleared = (field: string) => isBody(sent) && (sent[field] === null || sent[field] === '')
  const { name = preset.name, output_format: to, personal = preset.personal } = change
  const options = change.options ?? (isCleared('options') ? {} : preset.options)
  const outputFormat =
    to === undefined ? (isCleared('output_format') ? null : preset.outputFormat) : normalizeFormat(to)
  return checked({ name, operation: preset.operation, outputFormat, options, personal })
}

const someInput = '0'.repeat(24)

/** Checks that a preset with an input would be a valid task. */
function checked(preset: ParsedPreset): ParsedPreset {
  const { operation, options } = preset
  const secrets = secretOptions.filter((name) => Object.hasOwn(options, name))
  refuse(
    secrets.map((name): FieldError => {
      return { path: `options.${name}`, msg: 'is a secret, which a preset does not keep. Give it with the task.' }
    }),
  )
  const { errors } = readTask(operation, { ...toFields(preset), input: someInput }, { inJob: false, path: '' })
  refuse(errors)
  return preset
}

/** The task fields that a preset sets. */
export function toFields({ outputFormat, options }: Pick<ParsedPreset, 'outputFormat' | 'options'>): Body {
  return {
    ...(outputFormat !== null && { output_format: outputFormat }),
    ...(Object.keys(options).length > 0 && { options }),
  }
}
