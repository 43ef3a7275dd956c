import { describe, expect, it } from 'vitest'
import { detectFormat } from './detect.ts'
import { findFormat, formats } from './formats.ts'
import { otherSignatures } from './other-signatures.ts'
import { findRecognised, recognised } from './recognised.ts'
import { bytesOf } from './testing/bytes-of.ts'

describe('formats with few signatures', () => {
  it.each(otherSignatures)('$ext is recognized by its bytes at $at', ({ ext, at, bytes }) => {
    // Before the mark: bytes that no other format begins with. After it: zeros.
    const head = bytesOf(`${'\x03'.repeat(at)}${bytes}${'\0'.repeat(64)}`)
    expect(detectFormat(head)).toMatchObject({ ext, conclusive: true })
  })

  it.each([
    ['exe', `MZ${'\0'.repeat(58)}\x40\0\0\0PE\0\0`],
    ['class', '\xca\xfe\xba\xbe\0\0\0\x34'],
    ['macho', '\xca\xfe\xba\xbe\0\0\0\x02'],
    ['ttf', '\0\x01\0\0\0\x12\x01\0\0\x04\0\x20cmap'],
    ['dwg', 'AC1021\0\0\0\0'],
    ['bz2', 'BZh91AY&SY\0\0'],
    ['torrent', 'd8:announce35:udp://tracker'],
    ['dxb', 'AutoCAD Binary DXF\r\n\x1a\0'],
    ['dxf', '  0\r\nSECTION\r\n  2\r\nHEADER\r\n'],
    ['stl', 'solid cube\n  facet normal 0 0 1\n'],
    ['xbm', '#define hopper_width 128\n#define hopper_height 128\n'],
    ['gv', 'digraph "Relations" {\n  a -> b;\n}'],
    ['gv', '// a comment\n/* and\n another */\nstrict graph {\n  a -- b\n}'],
    ['ilbm', 'FORM\0\0\0\x20ILBMBMHD'],
    ['sf2', 'RIFF\0\0\0\x20sfbkLIST'],
    ['cdr', 'RIFF\0\0\0\x20CDR8vrsn'],
    ['wpg', '\xffWPC\x10\0\0\0\x01\x16\x01\0'],
  ])('%s is recognized by more than one signature', (ext, head) => {
    expect(detectFormat(bytesOf(head))).toMatchObject({ ext, conclusive: true })
  })

  it.each([
    'MZ is how this sentence begins, and it goes on for a while to fill more than a header would take up',
    'graph paper is {ruled}',
    'solid as a rock\nand so on',
    'BZh is short for nothing',
    'd8: a move in chess',
  ])('are not recognized in %j', (text) => {
    expect(detectFormat(bytesOf(text))).toEqual({ ext: 'txt', conclusive: false })
  })
})

describe('the table of recognised formats', () => {
  const all = recognised.flatMap(({ ext, aliases }) => [ext, ...aliases])

  it('names every extension once, and none that has a row of its own', () => {
    expect(new Set(all).size).toBe(all.length)
    const known = new Set(formats.flatMap(({ ext, aliases }) => [ext, ...aliases]))
    expect(all.filter((ext) => known.has(ext))).toEqual([])
  })

  it('is found by extension and alias in any case, and by nothing else', () => {
    expect(findRecognised('DWG')?.name).toBe('AutoCAD drawing')
    expect(findRecognised('dll')?.ext).toBe('exe')
    for (const ext of ['', '__proto__', 'constructor', 'x'.repeat(100_000)]) expect(findRecognised(ext)).toBeUndefined()
  })

  it('reads only as formats that exist', () => {
    for (const { readAs } of recognised) if (readAs) expect(findFormat(readAs)?.family).toBe('text')
  })
})
