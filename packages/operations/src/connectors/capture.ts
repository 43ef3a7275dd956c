import type { FieldError } from '@lathe/domain'
import { Type } from 'typebox'
import { defineImport } from '../define.ts'
import { checkPlaceholders } from '../placeholders.ts'
import { pagesWord, paperSizes, printBounds } from '../print-bounds.ts'
import { mediaField, pageFields } from './page-fields.ts'

const { Optional } = Type

/** The maximum lengths of the texts of a capture, and the longest wait for an element. */
export const captureBounds = { selectorChars: 500, headerChars: 200, waitForMs: 10_000 } as const

/** The placeholders of headers and footers. */
export const headerPlaceholders = ['{page}', '{pages}', '{title}', '{url}', '{date}'] as const

const formats = ['pdf', 'png', 'jpg', 'mhtml'] as const
type CaptureFormat = (typeof formats)[number]
const usual = 'pdf'
const { margin, scale, quality } = printBounds
const { url, ...windowFields } = pageFields

const headerField = (place: string) =>
  Optional(
    Type.String({
      minLength: 1,
      maxLength: captureBounds.headerChars,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$',
      description: `Text at the ${place} of each page of a pdf, on one line; ${headerPlaceholders.map((one) => `\`${one}\``).join(', ')} are filled in.`,
      examples: ['{page} of {pages}'],
    }),
  )

/** Fields that apply to some formats only. */
const fieldsOf = {
  pdf: {
    paper_size: Optional(
      Type.Enum(Object.keys(paperSizes) as (keyof typeof paperSizes)[], {
        default: 'a4',
        description: 'Paper size of a pdf. Default: a4.',
        examples: ['letter'],
      }),
    ),
    orientation: Optional(
      Type.Enum(['portrait', 'landscape'], {
        default: 'portrait',
        description: 'Orientation of the pages. Default: portrait.',
      }),
    ),
    margin: Optional(
      Type.Number({
        minimum: margin.min,
        maximum: margin.max,
        default: margin.byDefault,
        description: `Margin of a pdf in mm, from ${margin.min} to ${margin.max}. Default: ${margin.byDefault}. With a header or footer, at least 12.`,
      }),
    ),
    print_background: Optional(
      Type.Boolean({
        default: true,
        description: 'Whether background colors and images are printed. Default: true.',
      }),
    ),
    scale: Optional(
      Type.Number({
        minimum: scale.min,
        maximum: scale.max,
        default: scale.byDefault,
        description: `Scale of the printed page, from ${scale.min} to ${scale.max}. Default: ${scale.byDefault}.`,
      }),
    ),
    pages: Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: `^${pagesWord}$`,
        description: 'Pages of a pdf to keep, such as 1-3,5,8-. Default: all pages.',
        examples: ['1-3,5,8-'],
      }),
    ),
    header: headerField('top'),
    footer: headerField('bottom'),
  },
  'png and jpg': {
    full_page: Optional(
      Type.Boolean({
        default: true,
        description: 'Whether a png or jpg shows the full page or only the visible part. Default: true.',
      }),
    ),
  },
  jpg: {
    quality: Optional(
      Type.Integer({
        minimum: quality.min,
        maximum: quality.max,
        default: quality.byDefault,
        description: `Quality of a jpg, from ${quality.min} to ${quality.max}. Default: ${quality.byDefault}.`,
      }),
    ),
  },
} as const

const formatsOf: Readonly<Record<string, readonly CaptureFormat[]>> = Object.fromEntries(
  Object.entries(fieldsOf).flatMap(([known, fields]) =>
    Object.keys(fields).map((name) => [name, formats.filter((format) => known.split(' ').includes(format))]),
  ),
)

export const capture = defineImport({
  name: 'capture',
  summary: 'Capture a web page',
  description:
    'Opens a web page in a browser and saves it as a PDF, an image or an MHTML file, including fonts and content rendered by scripts.',
  fields: {
    url,
    output_format: Optional(
      Type.Enum(formats, { default: usual, description: `Format of the result. Default: ${usual}.` }),
    ),
    ...windowFields,
    media: mediaField('print for pdf, otherwise screen'),
    wait_for: Optional(
      Type.String({
        minLength: 1,
        maxLength: captureBounds.selectorChars,
        description: `A CSS selector. The page is taken once an element matches it, or after ${captureBounds.waitForMs / 1000} seconds, with a warning.`,
        examples: ['#chart svg'],
      }),
    ),
    ...fieldsOf.pdf,
    ...fieldsOf['png and jpg'],
    ...fieldsOf.jpg,
  },
  writes: captureFormat,
  formatsOf,
  check: (body) => [...checkFields(body), ...checkPlaceholders(body, ['header', 'footer'], headerPlaceholders)],
})

/** The format of a capture. */
export function captureFormat({
  output_format: format = usual,
}: {
  readonly output_format?: CaptureFormat
}): CaptureFormat {
  return format
}

function checkFields(body: { readonly output_format?: CaptureFormat }): FieldError[] {
  const format = captureFormat(body)
  return Object.entries(formatsOf)
    .filter(([path, known]) => Object.hasOwn(body, path) && !known.includes(format))
    .map(([path, known]) => {
      const msg = `applies to ${known.join(' and ')} only; \`output_format\` is ${format}. Leave it out.`
      return { path, code: 'conflict' as const, msg }
    })
}
