import { defineProcess } from '../define.ts'

export const optimize = defineProcess({
  name: 'optimize',
  summary: 'Optimize images for the web',
  description:
    'Makes every image as small as possible without visible changes: tries AVIF, WebP, JPEG and PNG, and keeps the smallest that reaches the similarity in `options`. Metadata is removed, colors become sRGB, and animations become WebP.',
  inputs: { files: 'each' },
  output: 'contents',
})
