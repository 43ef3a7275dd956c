import { describe, expect, it } from 'vitest'
import { findFormat, formats } from './formats.ts'

describe('the table of formats', () => {
  it('names every extension and alias once', () => {
    const all = formats.flatMap(({ ext, aliases }) => [ext, ...aliases])
    expect(new Set(all).size).toBe(all.length)
  })

  it('holds lower case extensions without dots, except of compressed tar archives [S-fmt-02]', () => {
    for (const ext of formats.flatMap(({ ext, aliases }) => [ext, ...aliases]))
      expect(ext).toMatch(/^(tar\.)?[a-z0-9]+$/)
  })
})

describe('findFormat', () => {
  it('finds by extension, alias, any case and a leading dot', () => {
    for (const ext of ['jpg', 'JPEG', '.Jpg', 'jfif']) expect(findFormat(ext)?.ext).toBe('jpg')
    expect(findFormat('tif')?.ext).toBe('tiff')
  })

  it('knows nothing else', () => {
    for (const ext of ['', '.', 'exe', '__proto__', 'constructor', 'x'.repeat(100_000)]) {
      expect(findFormat(ext)).toBeUndefined()
    }
  })
})
