import { describe, expect, it } from 'vitest'
import { detectFormat } from './detect.ts'
import { resolveFormat } from './resolve.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

describe('PostScript and PDF', () => {
  it.each([
    ['eps', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9'],
    ['eps', '\xc5\xd0\xd3\xc6\x1e\0\0\0'],
    ['ps', '%!PS-Adobe-3.0\n% EPSF is not said in the first line'],
    ['ps', '\x04%!PS\nshowpage'],
    ['pdf', '%PDF-1.7\n%\xe2\xe3'],
  ])('are distinguished: %s', (ext, head) => {
    expect(detectFormat(bytes(head))).toMatchObject({ ext, conclusive: true })
  })

  it.each([
    ['drawing.ai', '%PDF-1.5\n', 'ai'],
    ['drawing.ai', '%!PS-Adobe-3.0 EPSF-3.0\n', 'ai'],
    ['picture.eps', '%!PS-Adobe-2.0\n', 'eps'],
    ['photo.jpg', '%!PS-Adobe-3.0 EPSF-3.0\n', 'eps'],
    ['report.pdf', '%PDF-1.5\n', 'pdf'],
    ['page.png', '%PDF-1.5\n', 'pdf'],
  ])('%s with the bytes %j is read as %s', (filename, head, ext) => {
    expect(resolveFormat({ detected: detectFormat(bytes(head)), filename }).ext).toBe(ext)
  })

  it.each(['x.eps', 'x.ps', 'x.ai'])('are nothing else: %s without their first bytes is refused', (filename) => {
    expect(resolveFormat({ detected: detectFormat(bytes('hello')), filename }).refusal?.text).toContain(
      `named ${filename.slice(1)}`,
    )
  })
})
