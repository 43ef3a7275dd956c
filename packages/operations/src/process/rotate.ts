import { defineProcess } from '../define.ts'

export const rotate = defineProcess({
  name: 'rotate',
  summary: 'Rotate pages',
  description: 'Rotates all pages of a PDF, or those named in `options.pages`.',
  inputs: { files: 'each' },
  output: 'same',
})
