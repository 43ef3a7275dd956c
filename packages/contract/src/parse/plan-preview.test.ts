import { advertisedFor } from '@lathe/engines'
import { describe, expect, it } from 'vitest'
import { planPreview } from './plan-preview.ts'

describe('the preview of a file', () => {
  it('fits into 512 pixels, and shows the page asked for', () => {
    expect(planPreview('pdf', 3)).toEqual({ output_format: 'webp', options: { width: 512, height: 512, page: 3 } })
    expect(planPreview('docx', 2)).toEqual({ output_format: 'jpg', options: { width: 512, height: 512, page: 2 } })
  })

  it.each([
    ['jpg', 'webp', 'a JPEG image (jpg)'],
    ['svg', 'webp', 'Scalable Vector Graphics (svg)'],
    ['mp4', 'jpg', 'MPEG-4 video (mp4)'],
    ['mp3', 'jpg', 'MP3 audio (mp3)'],
  ])('of %s is a %s and has one page', (format, to, name) => {
    expect(planPreview(format, 1)).toEqual({ output_format: to, options: { width: 512, height: 512 } })
    expect(() => planPreview(format, 2)).toThrow(`page: must be 1: the file is ${name}, which has a single page.`)
  })

  it('exists of every format with thumbnails [D-http-79]', () => {
    const formats = new Set(advertisedFor('thumbnail').map(({ from }) => from))
    expect(formats.size).toBeGreaterThan(150)
    for (const format of formats) expect(planPreview(format, 1).output_format).toMatch(/^(webp|jpg)$/)
  })

  it.each([
    ['zip', 'a ZIP archive (zip)'],
    ['', 'a file of unknown format'],
    ['nonsense', 'a file of unknown format'],
  ])('of format %j does not exist, and the error names the format', (format, name) => {
    expect(() => planPreview(format, 1)).toThrow(`There is no preview of ${name}`)
  })
})
