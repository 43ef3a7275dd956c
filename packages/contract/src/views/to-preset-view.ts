import type { ProcessingOperation } from '@lathe/operations'
import type { Preset } from '../schemas/preset-view.ts'

/** What a view needs to know of a preset. */
export interface PresetFacts {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly operation: ProcessingOperation
  readonly outputFormat: string | null
  readonly options: Readonly<Record<string, unknown>>
  readonly personal: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A preset as it is shown, with the field names of a task. */
export function toPresetView(preset: PresetFacts): Preset {
  const { id, userId, name, operation, outputFormat, options, personal, createdAt, updatedAt } = preset
  return {
    id,
    name,
    operation,
    output_format: outputFormat,
    options: { ...options },
    personal,
    user: userId,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}
