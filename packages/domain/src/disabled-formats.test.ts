import { describe, expect, it } from 'vitest'
import { explainDisabled, findDisabled } from './disabled-formats.ts'

const heic = { input: 'heic', output: null }
const gif = { input: null, output: 'gif' }
const docx = { input: 'pdf', output: 'docx' }
const rules = [heic, gif, docx]

describe('what is switched off', () => {
  it('may be a format as input, for any output', () => {
    expect(findDisabled(rules, { from: 'heic', to: 'jpg' })).toBe(heic)
    expect(findDisabled(rules, { from: 'heic', to: undefined })).toBe(heic)
    expect(findDisabled(rules, { from: 'jpg', to: 'heic' })).toBeUndefined()
  })

  it('may be a format as output, for any input', () => {
    expect(findDisabled(rules, { from: 'mp4', to: 'gif' })).toBe(gif)
    expect(findDisabled(rules, { from: undefined, to: 'gif' })).toBe(gif)
    expect(findDisabled(rules, { from: 'gif', to: 'mp4' })).toBeUndefined()
  })

  it('may be a conversion, without either of its formats', () => {
    expect(findDisabled(rules, { from: 'pdf', to: 'docx' })).toBe(docx)
    expect(findDisabled(rules, { from: 'pdf', to: 'txt' })).toBeUndefined()
    expect(findDisabled(rules, { from: 'odt', to: 'docx' })).toBeUndefined()
  })

  it('is unknown while the format it applies to is unknown', () => {
    expect(findDisabled(rules, { from: undefined, to: 'docx' })).toBeUndefined()
    expect(findDisabled(rules, { from: undefined, to: undefined })).toBeUndefined()
  })

  it('is explained: what, by whom, why, and what to do', () => {
    expect(explainDisabled({ ...heic, reason: 'CVE-2026-1. ' })).toBe(
      'heic as an input format was switched off by the administrators of this service. Their reason: CVE-2026-1. Choose another format, or ask them to switch it on.',
    )
    expect(explainDisabled({ ...gif, reason: null })).toMatch(/^gif as an output format was switched off/)
    expect(explainDisabled({ ...docx, reason: null })).toMatch(/^The conversion of pdf to docx was switched off/)
  })
})
