import { formatField, optionsField, processingOperations } from '@lathe/operations'
import { Type } from 'typebox'
import { limits } from '../limits.ts'

const { Optional } = Type

const name = Type.String({
  minLength: 1,
  maxLength: limits.presetNameChars,
  description: 'Name of the preset.',
  examples: ['small for the web'],
})

const rest = {
  output_format: Optional(formatField),
  options: Optional(optionsField),
  personal: Optional(
    Type.Boolean({
      description: 'Whether only its creator can see it, not the whole account. Default: false.',
    }),
  ),
}

/** The body of a new preset. */
export const presetBody = Type.Object(
  { name, operation: Type.Enum(processingOperations, { description: 'Operation that uses the preset.' }), ...rest },
  { additionalProperties: false, title: 'CreatePresetRequest' },
)

/** The fields of a preset that can be changed; omitted fields stay unchanged. */
export const presetChangeBody = Type.Object(
  { name: Optional(name), ...rest },
  { additionalProperties: false, title: 'UpdatePresetRequest' },
)
