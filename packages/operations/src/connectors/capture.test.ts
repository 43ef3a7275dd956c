import { describe, expect, it } from 'vitest'
import { asImport } from '../operations.ts'

const capture = asImport('capture')
const check = (body: Record<string, unknown>) =>
  capture?.check?.({ url: 'https://a.example/', ...body }, { inJob: false }) ?? []

const pdf = { paper_size: 'a5', orientation: 'landscape', margin: 5, print_background: false, scale: 1, pages: '1' }
const texts = { header: '{title}', footer: '{page} of {pages}, {url}, {date}' }

describe('a capture', () => {
  it.each([
    ['pdf', { ...pdf, ...texts }],
    ['png', { full_page: false }],
    ['jpg', { full_page: true, quality: 50 }],
    ['mhtml', {}],
  ])('as %s accepts the fields that apply to it', (output_format, fields) => {
    const shared = { viewport_width: 500, wait_ms: 0, wait_for: 'main', media: 'screen', filename: 'a' }
    expect(check({ output_format, ...shared, ...fields })).toEqual([])
  })

  it('is a PDF by default [S-imp-29]', () => {
    expect(check({ ...pdf, ...texts })).toEqual([])
    expect(check({ quality: 50 })).toEqual([
      { path: 'quality', code: 'conflict', msg: 'applies to jpg only; `output_format` is pdf. Leave it out.' },
    ])
    expect([capture?.writes?.({}), capture?.writes?.({ output_format: 'png' })]).toEqual(['pdf', 'png'])
  })

  it.each([
    ['png', { ...pdf, ...texts, quality: 1 }],
    ['jpg', { ...pdf, ...texts }],
    ['mhtml', { ...pdf, ...texts, quality: 1, full_page: false }],
    ['pdf', { quality: 1, full_page: true }],
  ])('as %s refuses each field that does not apply, and says where it does [S-imp-31]', (output_format, fields) => {
    const faults = check({ output_format, ...fields })
    expect(faults.map(({ path }) => path).toSorted()).toEqual(Object.keys(fields).toSorted())
    for (const { msg } of faults) expect(msg).toMatch(/^applies to (pdf|png and jpg|jpg) only; `output_format` is /)
  })

  it('refuses unknown placeholders [S-imp-33]', () => {
    expect(check({ header: '{page} {pagez}', footer: '{Date}' })).toEqual([
      { path: 'header', msg: 'holds {pagez}. Placeholders: {page}, {pages}, {title}, {url}, {date}.' },
      { path: 'footer', msg: 'holds {Date}. Placeholders: {page}, {pages}, {title}, {url}, {date}.' },
    ])
  })
})
