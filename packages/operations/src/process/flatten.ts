import { defineProcess } from '../define.ts'

export const flatten = defineProcess({
  name: 'flatten',
  summary: 'Flatten forms',
  description:
    'Makes form fields and comments of a PDF part of the page content, so that they can no longer be changed.',
  inputs: { files: 'each' },
  output: 'same',
})
