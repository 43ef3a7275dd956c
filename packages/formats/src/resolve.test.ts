import { describe, expect, it } from 'vitest'
import { resolveFormat } from './resolve.ts'

const sure = { ext: 'png', conclusive: true }
const guess = { ext: 'txt', conclusive: false }

describe('resolveFormat', () => {
  it('believes conclusive bytes over name and declaration, and says so', () => {
    const resolved = resolveFormat({ detected: sure, declared: 'jpg', filename: 'a.gif' })
    expect(resolved.ext).toBe('png')
    expect(resolved.warning).toContain('declared as jpg')
  })

  it('has nothing to say when the declaration agrees, by alias too', () => {
    const detected = { ext: 'jpg', conclusive: true }
    expect(resolveFormat({ detected, declared: 'JPEG', filename: 'a' })).toEqual({ ext: 'jpg' })
    expect(resolveFormat({ detected, filename: 'a.png' })).toEqual({ ext: 'jpg' })
  })

  it('takes the declaration, then the name, then the guess where bytes are not conclusive', () => {
    expect(resolveFormat({ detected: guess, declared: 'csv', filename: 'a.md' }).ext).toBe('csv')
    expect(resolveFormat({ detected: guess, filename: 'a.MD' }).ext).toBe('md')
    expect(resolveFormat({ detected: guess, filename: 'notes' }).ext).toBe('txt')
  })

  it('reads as nothing at all what is called something it certainly is not', () => {
    expect(resolveFormat({ detected: guess, filename: 'script.png' })).toEqual({ ext: undefined, misnamed: 'png' })
    expect(resolveFormat({ detected: guess, declared: 'GIF', filename: 'x' })).toEqual({
      ext: undefined,
      misnamed: 'gif',
    })
    expect(resolveFormat({ detected: undefined, filename: 'empty.pdf' })).toEqual({ ext: undefined, misnamed: 'pdf' })
    expect(resolveFormat({ detected: { ext: 'pdf', conclusive: false }, filename: 'late.pdf' })).toEqual({ ext: 'pdf' })
  })

  it('lets the name choose among formats whose bytes are alike', () => {
    const detected = { ext: 'docx', conclusive: true, variants: ['docm', 'dotx'] }
    expect(resolveFormat({ detected, filename: 'a.DOCM' })).toEqual({ ext: 'docm' })
    expect(resolveFormat({ detected, declared: 'dotx', filename: 'a.docm' })).toEqual({ ext: 'dotx' })
    expect(resolveFormat({ detected, filename: 'a.odt' })).toEqual({ ext: 'docx' })
  })

  it('passes over a declaration that names no known format', () => {
    expect(resolveFormat({ detected: undefined, declared: 'xyz', filename: 'a.csv' })).toEqual({ ext: 'csv' })
  })

  it('knows nothing where nothing is said', () => {
    expect(resolveFormat({ detected: undefined, filename: 'README' })).toEqual({ ext: undefined })
  })
})
