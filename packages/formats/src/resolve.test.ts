import { describe, expect, it } from 'vitest'
import { resolveFormat } from './resolve.ts'

const sure = { ext: 'png', conclusive: true }
const guess = { ext: 'txt', conclusive: false }

describe('resolveFormat', () => {
  it('prefers conclusive bytes to name and declaration, with a warning [D-op-17]', () => {
    const resolved = resolveFormat({ detected: sure, declared: 'jpg', filename: 'a.gif' })
    expect(resolved.ext).toBe('png')
    expect(resolved.warning).toContain('declared as jpg')
  })

  it('does not warn when the declaration agrees, by alias too', () => {
    const detected = { ext: 'jpg', conclusive: true }
    expect(resolveFormat({ detected, declared: 'JPEG', filename: 'a' })).toEqual({ ext: 'jpg' })
    expect(resolveFormat({ detected, filename: 'a.png' })).toEqual({ ext: 'jpg' })
  })

  it('uses the declaration, then the name, then the guess if bytes are not conclusive [D-op-18]', () => {
    expect(resolveFormat({ detected: guess, declared: 'csv', filename: 'a.md' }).ext).toBe('csv')
    expect(resolveFormat({ detected: guess, filename: 'a.MD' }).ext).toBe('md')
    expect(resolveFormat({ detected: guess, filename: 'notes' }).ext).toBe('txt')
  })

  it('returns no format for a file that is certainly not what its name says', () => {
    expect(resolveFormat({ detected: guess, filename: 'script.png' })).toMatchObject({
      ext: undefined,
      refusal: { code: 'unsupported', text: expect.stringContaining('named .png but looks like plain text') },
    })
    expect(resolveFormat({ detected: guess, declared: 'GIF', filename: 'x' }).refusal?.text).toContain(
      'declared as gif',
    )
    const page = { ext: 'html', conclusive: true, variants: ['txt'] }
    expect(resolveFormat({ detected: page, filename: 'not-found.pdf' }).refusal?.text).toContain(
      'named .pdf but looks like',
    )
    expect(resolveFormat({ detected: page, filename: 'export.xls' })).toEqual({ ext: 'html' })
    expect(resolveFormat({ detected: undefined, filename: 'empty.pdf' })).toMatchObject({
      ext: undefined,
      refusal: { code: 'input_damaged', text: expect.stringContaining('named .pdf') },
    })
    expect(resolveFormat({ detected: { ext: 'pdf', conclusive: false }, filename: 'late.pdf' })).toEqual({ ext: 'pdf' })
  })

  it('names the format of a file that nothing can read, by its bytes or by its name', () => {
    const drawing = { ext: 'dwg', conclusive: true }
    expect(resolveFormat({ detected: drawing, filename: 'plan.doc' })).toMatchObject({
      ext: undefined,
      recognised: 'dwg',
      refusal: { code: 'unsupported', text: expect.stringContaining('named .doc but is an AutoCAD drawing (dwg)') },
    })
    expect(resolveFormat({ detected: undefined, filename: 'plan.DWG' })).toMatchObject({ recognised: 'dwg' })
    expect(resolveFormat({ detected: { ext: 'ole', conclusive: false }, filename: 'x' }).recognised).toBe('ole')
    expect(resolveFormat({ detected: { ext: 'zip', conclusive: false }, filename: 'x.jar' }).recognised).toBe('jar')
  })

  it('leaves a compound file of an unknown program to its name', () => {
    expect(resolveFormat({ detected: { ext: 'ole', conclusive: false }, filename: 'a.doc' })).toEqual({ ext: 'doc' })
  })

  it('reads sources that are text as text, and says so', () => {
    expect(resolveFormat({ detected: guess, filename: 'plan.gv' })).toEqual({
      ext: 'txt',
      warning: 'The input is Graphviz source (gv), which Lathe reads as txt.',
    })
    expect(resolveFormat({ detected: guess, filename: 'paper.tex' })).toEqual({ ext: 'tex' })
    expect(resolveFormat({ detected: { ext: 'json', conclusive: false }, filename: 'a.ipynb' }).ext).toBe('ipynb')
    const key = { ext: 'pem', conclusive: true }
    expect(resolveFormat({ detected: key, filename: 'x.pem' }).ext).toBe('txt')
    expect(resolveFormat({ detected: key, declared: 'txt', filename: 'x.pem' })).toEqual({ ext: 'txt' })
    // A text with the extension of a music format.
    expect(resolveFormat({ detected: guess, filename: 'go.mod' })).toEqual({ ext: 'txt' })
  })

  it('reads text under the names of office documents as text, and says so', () => {
    expect(resolveFormat({ detected: guess, filename: 'letter.doc' })).toEqual({
      ext: 'txt',
      warning: 'The input is named .doc but its content is text, so it was read as txt.',
    })
    expect(resolveFormat({ detected: guess, filename: 'export.xls' }).ext).toBe('csv')
    expect(resolveFormat({ detected: { ext: 'html', conclusive: false }, declared: 'xls', filename: 'x' })).toEqual({
      ext: 'html',
      warning: 'The input is declared as xls but its content is text, so it was read as html.',
    })
  })

  it('accepts bytes of any encoding as the text format of their name', () => {
    for (const ext of ['txt', 'csv', 'html', 'md']) {
      expect(resolveFormat({ detected: undefined, filename: `a.${ext}` })).toEqual({ ext })
    }
  })

  it('lets the name choose among formats with the same bytes', () => {
    const detected = { ext: 'docx', conclusive: true, variants: ['docm', 'dotx'] }
    expect(resolveFormat({ detected, filename: 'a.DOCM' })).toEqual({ ext: 'docm' })
    expect(resolveFormat({ detected, declared: 'dotx', filename: 'a.docm' })).toEqual({ ext: 'dotx' })
    expect(resolveFormat({ detected, filename: 'a.odt' })).toEqual({ ext: 'docx' })
  })

  it('reports drawings that must be decompressed, and recognizes them by their names before that', () => {
    const detected = { ext: 'svg', conclusive: true, isPacked: true }
    expect(resolveFormat({ detected, filename: 'a.svgz' })).toEqual({ ext: 'svg', isPacked: true })
    expect(resolveFormat({ detected, filename: 'a.gz' })).toEqual({ ext: 'svg', isPacked: true })
    const unseen = { ext: 'gz', conclusive: true, variants: ['svg', 'emf', 'wmf', 'tar.gz'] }
    expect(resolveFormat({ detected: unseen, filename: 'a.emz' })).toEqual({ ext: 'emf' })
    expect(resolveFormat({ detected: unseen, filename: 'a.tgz' })).toEqual({ ext: 'tar.gz' })
    expect(resolveFormat({ detected: unseen, declared: 'tar.gz', filename: 'a' })).toEqual({ ext: 'tar.gz' })
  })

  it('ignores a declaration of an unknown format', () => {
    expect(resolveFormat({ detected: undefined, declared: 'xyz', filename: 'a.csv' })).toEqual({ ext: 'csv' })
  })

  it('returns no format without any information', () => {
    expect(resolveFormat({ detected: undefined, filename: 'README' })).toEqual({ ext: undefined })
  })
})
