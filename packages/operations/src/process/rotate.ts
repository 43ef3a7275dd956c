import { defineProcess } from '../define.ts'

export const rotate = defineProcess({
  name: 'rotate',
  summary: 'Rotate pages',
  description: 'Rotates all pages of a PDF, or some of them.',
  inputs: { files: 'each' },
  output: 'same',
})
