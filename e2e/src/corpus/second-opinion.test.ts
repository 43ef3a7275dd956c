import { describe, expect, it } from 'vitest'
import type { Result } from './result.ts'
import { findDisagreements } from './second-opinion.ts'

const result = (file: string, format: string) => ({ file, format, ext: file.slice(2) }) as Result

describe('a second opinion on the format of a file', () => {
  it.each([
    ['a.docx', 'docx', 'application/zip'],
    ['a.png', 'png', 'image/png'],
    ['a.svg', 'svg', 'text/xml'],
    ['a.csv', 'csv', 'text/plain'],
    ['a.xyz', 'unknown', 'application/octet-stream'],
    ['a.xyz', 'unknown', 'application/x-never-heard-of'],
  ])('agrees on %s as %s with %s', (file, format, type) => {
    expect(findDisagreements([result(file, format)], new Map([[file, type]]))).toEqual([])
  })

  it.each([
    ['a.png', 'png', 'image/jpeg'],
    ['a.doc', 'doc', 'application/vnd.ms-outlook'],
    ['a.zip', 'unknown', 'application/pdf'],
  ])('differs on %s as %s with %s', (file, format, type) => {
    expect(findDisagreements([result(file, format)], new Map([[file, type]]))).toEqual([
      { file, ext: file.slice(2), ours: format, theirs: type },
    ])
  })
})
