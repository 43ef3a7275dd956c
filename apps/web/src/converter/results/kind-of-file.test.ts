import { describe, expect, it } from 'vitest'
import { kindOfFile, mediaTypeOf } from './kind-of-file.ts'

describe('a result', () => {
  it.each([
    ['photo.jpeg', 'image'],
    ['drawing.svg', 'image'],
    ['scan.tiff', 'pages'],
    ['talk.mp3', 'audio'],
    ['clip.webm', 'video'],
    ['table.csv', 'text'],
    ['report.pdf', 'pages'],
    ['all.zip', 'pages'],
    ['unknown', 'pages'],
  ] as const)('%s is shown as %s', (name, kind) => {
    expect(kindOfFile(name, 1000)).toBe(kind)
  })

  it('is not loaded as a whole if it is large, but the start of a text is', () => {
    expect(kindOfFile('clip.mp4', 50_000_001)).toBe('pages')
    expect(kindOfFile('photo.png', 50_000_001)).toBe('pages')
    expect(kindOfFile('table.csv', 50_000_001)).toBe('text')
  })

  it('that is an SVG gets its media type, because browsers draw it only with that', () => {
    expect([mediaTypeOf('a.SVG'), mediaTypeOf('a.pdf'), mediaTypeOf('svg')]).toEqual([
      'image/svg+xml',
      undefined,
      'image/svg+xml',
    ])
  })
})
