import { Type } from 'typebox'
import { filename, format, input, options } from './fields.ts'

const { Optional } = Type
const closed = { additionalProperties: false } as const

/** The bodies of the processing operations. */
export const processBodies = {
  convert: Type.Object(
    {
      input,
      input_format: Optional(format),
      output_format: format,
      filename: Optional(filename),
      options: Optional(options),
    },
    closed,
  ),
  compress: Type.Object(
    {
      input,
      input_format: Optional(format),
      output_format: Optional(format),
      filename: Optional(filename),
      options: Optional(options),
    },
    closed,
  ),
  merge: Type.Object(
    { input, output_format: format, filename: Optional(filename), options: Optional(options) },
    closed,
  ),
  crop: Type.Object(
    {
      input,
      input_format: Optional(format),
      output_format: Optional(format),
      filename: Optional(filename),
      options,
    },
    closed,
  ),
  trim: Type.Object(
    {
      input,
      input_format: Optional(format),
      output_format: Optional(format),
      filename: Optional(filename),
      options,
    },
    closed,
  ),
}
