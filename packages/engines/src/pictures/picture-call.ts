import type { CallStep, JsonObject } from '../engine.ts'
import { freeTextOptions, type OptionDescriptor, type OptionValues } from '../option-descriptor.ts'
import type { PictureOptions } from './decoded-options.ts'
import { pictureLimits, vipsStepLimits } from './limits.ts'
import { pagePoints } from './pdf-options.ts'

/** A file for the runner: one of our names, and the format that the content must have. */
interface FileOf {
  readonly file: string
  readonly format: string
}

/** A request to the image runner. */
export interface PictureWork {
  readonly op: string
  readonly inputs: readonly FileOf[]
  readonly output: FileOf
  readonly params: JsonObject
  /** Whether the plan has another decoder for an input that libvips cannot read: the answer then names that input. */
  readonly rescue?: boolean
}

/** The step that calls the image runner; other engines use it too. */
export function pictureCall({ op, inputs, output, params, rescue }: PictureWork): CallStep {
  const request: JsonObject = {
    op,
    inputs: inputs.map(({ file, format }) => ({ file, format })),
    outputs: [{ file: output.file, format: output.format }],
    params,
    limits: pictureLimits,
    ...(rescue && { rescue }),
  }
  return { kind: 'call', runner: 'vips', request, outputs: [output.file], limits: vipsStepLimits }
}

/** The options for the image runner. A page size is converted to points, as `page`. */
type Params<Options> = Omit<Options, 'page' | 'pdf_page_size'> & {
  readonly page?: number | { readonly width: number; readonly height: number }
}

/** The options for the image runner for any image. */
export type PictureParams = Params<PictureOptions> & {
  /** One of our files, with the EXIF of a decoded image. */
  readonly exif?: string
}

/** All options with a given or default value: numbers, booleans and checked texts. Nothing else reaches the runner. */
export function toParams<Option extends OptionDescriptor>({
  descriptors,
  effective,
}: {
  readonly descriptors: readonly Option[]
  readonly effective: OptionValues<NoInfer<Option>>
}): Params<OptionValues<Option>> {
  const given: Readonly<Record<string, unknown>> = effective
  const params: Record<string, JsonObject[string]> = {}
  for (const { name, data_type, default_value } of descriptors) {
    const value = given[name] ?? parseDefault(data_type, default_value)
    if (freeTextOptions.includes(name)) continue
    if (name === 'pdf_page_size') Object.assign(params, pageParams(value))
    else if (isPlain(value)) params[name] = value
  }
  // Defaults and given values have the types of their descriptors.
  return params as Params<OptionValues<Option>>
}

function pageParams(value: unknown): JsonObject {
  const page = pagePoints(value)
  return page === undefined ? {} : { page }
}

function parseDefault(type: OptionDescriptor['data_type'], value: string): unknown {
  if (value === '') return undefined
  if (type === 'boolean') return value === 'true'
  return type === 'string' ? value : Number(value)
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
