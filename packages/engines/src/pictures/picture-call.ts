import type { CallStep, JsonObject } from '../engine.ts'
import { freeTextOptions, type OptionDescriptor, type OptionValues } from '../option-descriptor.ts'
import type { PictureOptions } from './decoded-options.ts'
import { pictureLimits, vipsStepLimits } from './limits.ts'
import { pagePoints } from './pdf-options.ts'

/** A file as the runner is told of it: a name of ours and the format it must turn out to be. */
interface FileOf {
  readonly file: string
  readonly format: string
}

/** Work for the picture runner. */
export interface PictureWork {
  readonly op: string
  readonly inputs: readonly FileOf[]
  readonly output: FileOf
  readonly params: JsonObject
  /** Whether the plan goes on with another decoder where libvips cannot read an input: the answer names it then. */
  readonly rescue?: boolean
}

/** The step that has the picture runner do something; for other engines' plans too. */
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

/** What the picture runner is told of options: those with a page size have it in points, as `page`. */
type Params<Options> = Omit<Options, 'page' | 'pdf_page_size'> & {
  readonly page?: number | { readonly width: number; readonly height: number }
}

/** What it may be told of any picture. */
export type PictureParams = Params<PictureOptions> & {
  /** A file of ours with the EXIF of a picture that was decoded. */
  readonly exif?: string
}

/** All options with a value, given or default: numbers, booleans, and texts of a known form. Nothing else reaches the runner. */
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
  // Defaults have the type of given values, which have that of their descriptors.
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
