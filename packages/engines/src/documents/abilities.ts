import type { Ability } from '../engine.ts'
import type { OptionValues } from '../option-descriptor.ts'
import { drawOptions, quality, transparent } from '../pages/options.ts'
import type { RasterFormat } from '../pages/raster-step.ts'
import { type OfficeFormat, officeFormats, type Program } from './formats.ts'
import {
  csvInput,
  csvOutput,
  fitToWidth,
  orientation,
  outputPassword,
  password,
  pdfOptions,
  sheets,
} from './options.ts'

/** The image formats for a document's pages, which are created from a PDF. */
export const rasterFormats = ['png', 'jpg', 'tiff'] as const satisfies readonly RasterFormat[]

// Documents have their own password option, which replaces the one for PDF files.
const drawing = drawOptions.filter(({ name }) => name !== 'password')

const rasterOptions = {
  png: [...drawing, transparent],
  jpg: [...drawing, quality],
  tiff: drawing,
}

type Option =
  | (typeof rasterOptions)[RasterFormat][number]
  | (typeof pdfOptions | typeof csvInput | typeof csvOutput)[number]
  | typeof outputPassword
  | typeof sheets
  | typeof orientation
  | typeof fitToWidth

export type DocumentOptions = OptionValues<Option>

/** The options for page layout. */
const layout: Readonly<Record<Program, readonly Option[]>> = {
  writer: [orientation],
  calc: [sheets, orientation, fitToWidth],
  impress: [],
  draw: [],
}

// Equal combinations share one list, so that it is shown once.
const lists = new Map<string, readonly Option[]>()

function list(key: string, make: () => readonly Option[]): readonly Option[] {
  const found = lists.get(key) ?? make()
  lists.set(key, found)
  return found
}

const readers = officeFormats.filter(({ reads }) => reads !== undefined)

/**
 * All abilities of this engine: documents to PDF, to images of their pages, and to the other formats of the program.
 */
export const abilities: readonly Ability<Option>[] = readers.flatMap((reader) => [
  ability(
    reader,
    'pdf',
    list(`pdf ${keyOf(reader)}`, () => [...pdfOptions, ...layoutOf(reader), ...opening(reader)]),
  ),
  ...rasterFormats.map((to) =>
    ability(
      reader,
      to,
      list(`${to} ${keyOf(reader)}`, () => [...rasterOptions[to], ...layoutOf(reader), ...opening(reader)]),
    ),
  ),
  ...writersFor(reader).map((writer) =>
    ability(
      reader,
      writer.ext,
      list(`${keyOf(writer)} of ${keyOf(reader)}`, () => [...closing(writer, reader), ...opening(reader)]),
    ),
  ),
])

function ability({ ext: from }: OfficeFormat, to: string, options: readonly Option[]): Ability<Option> {
  return { operation: 'convert', from, to, options }
}

function writersFor({ program, ext, isSource }: OfficeFormat): readonly OfficeFormat[] {
  const same = isSource ? 'txt' : ext
  return officeFormats.filter((other) => other.writes && other.program === program && other.ext !== same)
}

function keyOf({ program, ext, hasPassword = false }: OfficeFormat): string {
  return `${program} ${ext === 'csv' ? 'csv' : ''} ${hasPassword}`
}

// A CSV file is one sheet.
function layoutOf({ program, ext }: OfficeFormat): readonly Option[] {
  return ext === 'csv' ? layout.calc.filter((option) => option !== sheets) : layout[program]
}

function opening({ ext, hasPassword }: OfficeFormat): readonly Option[] {
  return [...(ext === 'csv' ? csvInput : []), ...(hasPassword ? [password] : [])]
}

function closing({ ext, hasPassword }: OfficeFormat, _reader: OfficeFormat): readonly Option[] {
  return [...(ext === 'csv' ? csvOutput : []), ...(hasPassword ? [outputPassword] : [])]
}
