import { isFailure } from '@lathe/domain'
import type { GivenOptions } from '@lathe/operations'
import { describe, expect, it } from 'vitest'
import type { JsonObject, Plan, SourceFile } from '../engine.ts'
import { office } from './office.ts'

function plan(format: string, to: string, options: GivenOptions = {}): Plan {
  const source: SourceFile = { file: `in-0.${format}`, format, size: 1000, filename: '../Letter;id.docx' }
  const planned = office.plan({ operation: 'convert', sources: [source], to, options })
  if (isFailure(planned)) throw new Error(planned.text)
  return planned
}

function requestOf({ steps }: Plan): JsonObject {
  const [step] = steps
  if (step?.kind !== 'call') throw new Error('expected a call')
  return step.request
}

describe('the plan of a document', () => {
  it('is one call that names both filters', () => {
    expect(plan('docx', 'pdf')).toEqual({
      kind: 'plan',
      steps: [
        {
          kind: 'call',
          runner: 'office',
          request: {
            input: { file: 'in-0.docx', format: 'docx', filter: 'MS Word 2007 XML', isZip: true, program: 'writer' },
            layout: {},
            output: { file: 'out-0.pdf', filter: 'writer_pdf_Export', pdf: {} },
            limits: {
              pages: 10_000,
              zip: { entries: 10_000, bytes: 2_147_483_648, ratio: 100, ratioAfterBytes: 67_108_864, depth: 16 },
            },
          },
          outputs: ['out-0.pdf'],
          limits: {
            timeMs: 300_000,
            memoryBytes: 4_294_967_296,
            outputBytes: 4_294_967_296,
            silenceMs: 60_000,
          },
        },
      ],
      outputs: [{ file: 'out-0.pdf', format: 'pdf', source: 0 }],
      warnings: [],
    })
  })

  it('says how a PDF is to be in the words of LibreOffice', () => {
    const archive = plan('odt', 'pdf', {
      pdf_a: '2b',
      image_quality: 60,
      image_dpi: '150',
      bookmarks: false,
      pages: '1-2',
    })
    expect(requestOf(archive).output).toMatchObject({
      pdf: {
        SelectPdfVersion: 2,
        Quality: 60,
        ReduceImageResolution: true,
        MaxImageResolution: 150,
        ExportBookmarks: false,
        PageRange: '1-2',
      },
    })
    const locked = plan('xls', 'pdf', { pdf_version: '1.6', output_password: 'x y', lossless_images: true })
    expect(requestOf(locked).output).toMatchObject({
      filter: 'calc_pdf_Export',
      pdf: { SelectPdfVersion: 16, EncryptFile: true, DocumentOpenPassword: 'x y', UseLosslessCompression: true },
    })
  })

  it('reads a CSV file as one of text by default', () => {
    expect(requestOf(plan('csv', 'xlsx')).input).toMatchObject({ csv: { encoding: 76, formulas: false } })
    const reported = plan('csv', 'ods', { separator: 'tab', encoding: 'windows-1252', formulas: true })
    expect(requestOf(reported).input).toMatchObject({ csv: { separator: 9, encoding: 1, formulas: true } })
  })

  it('lays sheets out as asked', () => {
    const { layout } = requestOf(plan('ods', 'pdf', { sheets: '2-', orientation: 'landscape', fit_to_width: true }))
    expect(layout).toEqual({ sheets: '2-', orientation: 'landscape', fitToWidth: true })
  })
})

describe('the plan of images of pages', () => {
  it('makes a PDF first, asks for its pages, then draws those wanted', () => {
    const first = plan('pptx', 'png', { pages: '2', dpi: 100 })
    expect(requestOf(first).output).toMatchObject({ file: 'pages-0.pdf', filter: 'impress_pdf_Export', pdf: {} })
    const sizes = [1, 2].map((n) => `Page ${n} size: 595.28 x 841.89 pts\nPage ${n} rot: 0\n`).join('')
    const stdout = ['', `Pages: 2\nEncrypted: no\n${sizes}`]
    const next = first.next?.({ stdout, results: [{}, {}], sizes: {} })
    if (next === undefined || isFailure(next)) throw new Error('expected a plan')
    expect(next.steps.map((step) => (step.kind === 'process' ? [step.program, ...step.args].join(' ') : ''))).toEqual([
      expect.stringMatching(/^pdftoppm -png .*-r 100 -f 2 -l 2 pages-0\.pdf out-0$/),
    ])
    expect(next.outputs).toEqual([{ file: 'out-0-*.png', format: 'png', source: 0 }])
  })
})

describe('what contradicts itself', () => {
  it.each([
    ['a version beside PDF/A', { pdf_a: '1b', pdf_version: '1.7' }],
    ['a password on an archive', { pdf_a: '2b', output_password: 'x' }],
    ['a quality of lossless images', { lossless_images: true, image_quality: 50 }],
    ['a sheet of a text', { sheets: '1' }],
  ])('%s is refused', (_, options) => {
    const source: SourceFile = { file: 'in-0.docx', format: 'docx', size: 1, filename: 'x' }
    const planned = office.plan({ operation: 'convert', sources: [source], to: 'pdf', options })
    expect(planned).toMatchObject({ kind: 'failure', code: 'unsupported' })
  })
})
