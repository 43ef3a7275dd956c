import type { JsonObject, SourceFile } from '../engine.ts'
import type { DocumentOptions as Options } from './abilities.ts'
import { type OfficeFormat, pdfFilters } from './formats.ts'
import { documentLimits } from './limits.ts'
import { officeDefaults } from './options.ts'

// LibreOffice's numbers for PDF versions.
const archiveVersions: Readonly<Record<string, number>> = { '1b': 1, '2b': 2, '3b': 3 }
const pdfVersions: Readonly<Record<string, number>> = { '1.5': 15, '1.6': 16, '1.7': 17, '2.0': 20 }

const separatorCodes: Readonly<Record<string, number>> = { comma: 44, semicolon: 59, tab: 9, pipe: 124, space: 32 }

// LibreOffice's numbers for encodings, from its rtl/textenc.h.
const encodingNumbers: Readonly<Record<NonNullable<Options['encoding']>, number>> = {
  'utf-8': 76,
  'utf-16': 65_535,
  'windows-1252': 1,
  'iso-8859-1': 12,
  'iso-8859-15': 22,
  'windows-1250': 33,
  'windows-1251': 34,
  'shift-jis': 64,
  gb18030: 85,
  big5: 68,
  'euc-kr': 70,
}

/** The request to the runner: Lathe's own words, numbers and switches, and the owner's passwords and page numbers. */
export function toRequest(
  { file, format }: SourceFile,
  reader: OfficeFormat,
  target: { readonly file: string; readonly writer: OfficeFormat | 'pdf' },
  given: Options,
): JsonObject {
  const options = withoutDefaults(given)
  return {
    input: {
      file,
      format,
      filter: reader.reads ?? '',
      isZip: reader.isZip ?? false,
      ...(!reader.isExact && { program: reader.program }),
      ...pick(options, ['password', 'password']),
      ...(reader.ext === 'csv' && { csv: csvIn(options) }),
    },
    layout: pick(options, ['sheets', 'sheets'], ['orientation', 'orientation'], ['fit_to_width', 'fitToWidth']),
    output:
      target.writer === 'pdf'
        ? { file: target.file, filter: pdfFilters[reader.program], pdf: pdfData(options) }
        : { file: target.file, ...toWriter(target.writer, options) },
    limits: documentLimits,
  }
}

// Defaults are not passed to LibreOffice, so that giving a default has the same effect as omitting the option.
function withoutDefaults(options: Options): Options {
  const given = Object.entries(options).filter(([name, value]) => officeDefaults.get(name) !== String(value))
  return Object.fromEntries(given) as Options
}

function toWriter({ ext, writes = '', writeOptions }: OfficeFormat, options: Options): JsonObject {
  return {
    filter: writes,
    ...(writeOptions !== undefined && { options: writeOptions }),
    ...pick(options, ['output_password', 'password']),
    ...(ext === 'csv' && { csv: csvOut(options) }),
  }
}

/** The properties of LibreOffice's PDF export, by its own names. */
function pdfData(options: Options): JsonObject {
  const { pdf_a, pdf_version, image_dpi, lossless_images, output_password } = options
  const version = archiveVersions[pdf_a ?? ''] ?? pdfVersions[pdf_version ?? '']
  return {
    ...(version !== undefined && { SelectPdfVersion: version }),
    ...(lossless_images && { UseLosslessCompression: true }),
    ...pick(options, ['image_quality', 'Quality'], ['bookmarks', 'ExportBookmarks'], ['pages', 'PageRange']),
    ...(image_dpi !== undefined && { ReduceImageResolution: true, MaxImageResolution: Number(image_dpi) }),
    ...(output_password !== undefined && { EncryptFile: true, DocumentOpenPassword: output_password }),
  }
}

function csvIn({ separator = 'auto', encoding = 'utf-8', formulas = false }: Options): JsonObject {
  const code = separatorCodes[separator]
  return { ...(code !== undefined && { separator: code }), encoding: encodingNumbers[encoding], formulas }
}

function csvOut({ sheet = 1, separator = 'comma', encoding = 'utf-8', quote_text = false }: Options): JsonObject {
  const code = separatorCodes[separator] ?? 44
  return { sheet, separator: code, encoding: encodingNumbers[encoding], quoteText: quote_text }
}

/** The given options among these, under their new names. */
function pick(options: Options, ...names: readonly (readonly [name: keyof Options, further: string])[]): JsonObject {
  const given = names.map(([name, further]) => [further, options[name]] as const)
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
